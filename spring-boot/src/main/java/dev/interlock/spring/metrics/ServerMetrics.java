// SPDX-License-Identifier: Apache-2.0
package dev.interlock.spring.metrics;

import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.binder.MeterBinder;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Supplier;

/**
 * What the Redis servers tell about themselves. A reading of the meter never waits for Redis: it starts a look, at most every 30
 * seconds, and shows what the last one saw; not a number before the first, or where the user may not read the slow log.
 * Thread-safe.
 */
public final class ServerMetrics implements MeterBinder {
    private static final long EVERY_NANOS = TimeUnit.SECONDS.toNanos(30);

    private final Supplier<CompletionStage<Double>> slowScripts;
    private final AtomicLong nextLook = new AtomicLong(System.nanoTime());
    private volatile double share = Double.NaN;

    /**
     * Looks at nothing yet.
     *
     * @param slowScripts the share of scripts in the slow logs
     */
    public ServerMetrics(Supplier<CompletionStage<Double>> slowScripts) {
        this.slowScripts = slowScripts;
    }

    @Override
    public void bindTo(MeterRegistry registry) {
        Gauge.builder("interlock.server.slowlog.scripts", this, ServerMetrics::share)
                .description(
                        "Share of scripts among the latest entries of a master's slow log, of the master with the most")
                .register(registry);
    }

    private double share() {
        long now = System.nanoTime();
        long due = nextLook.get();
        if (now - due >= 0 && nextLook.compareAndSet(due, now + EVERY_NANOS)) {
            slowScripts.get().whenComplete((seen, error) -> share = error == null ? seen : Double.NaN);
        }
        return share;
    }
}
