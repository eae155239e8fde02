// SPDX-License-Identifier: Apache-2.0
package dev.interlock.spring.metrics;

import dev.interlock.InterlockListener;
import dev.interlock.Operation;
import io.micrometer.common.KeyValue;
import io.micrometer.observation.Observation;
import io.micrometer.observation.ObservationRegistry;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.util.function.SingletonSupplier;

/**
 * Has every timed operation observed as {@value #NAME}, so that it shows in traces as a part of what its caller does. Key
 * values are few and fixed: primitive, verb and outcome. Thread-safe.
 */
public final class InterlockObservations implements InterlockListener {
    /** Name of the observation. */
    public static final String NAME = "interlock.operation";

    private final SingletonSupplier<ObservationRegistry> registry;

    /**
     * Observes nothing while there is no registry.
     *
     * @param registry where to; asked for when it is needed
     */
    public InterlockObservations(ObjectProvider<ObservationRegistry> registry) {
        this.registry = SingletonSupplier.of(() -> registry.getIfUnique(() -> ObservationRegistry.NOOP));
    }

    @Override
    public Ending operationStarted(Operation operation) {
        ObservationRegistry found = registry.obtain();
        if (found.isNoop()) {
            return Ending.NONE;
        }
        Observation observation = Observation.createNotStarted(NAME, found)
                .contextualName(operation.primitive() + ' ' + operation.verb())
                .lowCardinalityKeyValue("primitive", operation.primitive())
                .lowCardinalityKeyValue("verb", operation.verb())
                .start();
        return outcome -> observation
                .lowCardinalityKeyValue(KeyValue.of("outcome", outcome))
                .stop();
    }
}
