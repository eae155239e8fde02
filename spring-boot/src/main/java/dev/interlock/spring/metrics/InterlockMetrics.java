// SPDX-License-Identifier: Apache-2.0
package dev.interlock.spring.metrics;

import dev.interlock.InterlockListener;
import dev.interlock.Operation;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Timer;
import io.micrometer.core.instrument.binder.MeterBinder;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Counts and times what an Interlock does. Every meter is listed in {@code docs/metrics.md}.
 *
 * <p>Tags are few and fixed: outcomes and names of scripts. Names of locks, limiters and pools, keys and users never are
 * tags. The meters of an operation appear together, with all outcomes, when it happens first. What happens before a registry
 * is bound is not counted. Thread-safe.
 */
public final class InterlockMetrics implements InterlockListener, MeterBinder {
    /** Scripts beyond this many share one name, so that who makes up scripts as he goes does not flood the registry. */
    private static final int MAX_SCRIPTS = 200;

    private static final String OTHER_SCRIPT = "other";

    private final Set<String> limitersAway = ConcurrentHashMap.newKeySet();
    private volatile @Nullable Meters meters;

    /** Counts nothing until it is bound. */
    public InterlockMetrics() {}

    @Override
    public void bindTo(MeterRegistry registry) {
        Gauge.builder("interlock.limiter.away", limitersAway, Set::size)
                .description("Limiters whose outage policy answers, because Redis does not")
                .register(registry);
        meters = new Meters(registry);
    }

    @Override
    public void operationEnded(Operation operation, String outcome, long nanos) {
        Meters bound = meters;
        if (bound != null) {
            bound.operation(operation, outcome).add(nanos);
        }
    }

    @Override
    public void scriptCompleted(String script, Outcome outcome, long nanos) {
        Meters bound = meters;
        if (bound != null) {
            bound.script(script).run(outcome, nanos);
        }
    }

    @Override
    public void scriptReloaded(String script) {
        Meters bound = meters;
        if (bound != null) {
            bound.script(script).reloads.increment();
        }
    }

    @Override
    public void scriptResent(String script) {
        Meters bound = meters;
        if (bound != null) {
            bound.script(script).resends.increment();
        }
    }

    @Override
    public void crossSlotRefused(String script) {
        Meters bound = meters;
        if (bound != null) {
            bound.script(script).crossSlots.increment();
        }
    }

    @Override
    public void limiterAway(String limiter) {
        limitersAway.add(limiter);
    }

    @Override
    public void limiterBack(String limiter) {
        limitersAway.remove(limiter);
    }

    /** Adds one event. */
    private interface Meter {
        void add(long nanos);
    }

    /** The meters of one script. */
    private record ScriptMeters(Map<Outcome, Timer> runs, Counter reloads, Counter resends, Counter crossSlots) {
        void run(Outcome outcome, long nanos) {
            Objects.requireNonNull(runs.get(outcome), outcome.name()).record(nanos, TimeUnit.NANOSECONDS);
        }
    }

    /** All meters, made when they are needed first. */
    private static final class Meters {
        private final MeterRegistry registry;
        private final Map<Operation, Map<String, Meter>> operations = new ConcurrentHashMap<>();
        private final Map<String, ScriptMeters> scripts = new ConcurrentHashMap<>();

        Meters(MeterRegistry registry) {
            this.registry = registry;
        }

        Meter operation(Operation operation, String outcome) {
            Map<String, Meter> outcomes = operations.computeIfAbsent(operation, this::register);
            return Objects.requireNonNull(outcomes.get(outcome), outcome);
        }

        private Map<String, Meter> register(Operation operation) {
            Map<String, Meter> outcomes = new HashMap<>();
            operation.outcomes().forEach(outcome -> outcomes.put(outcome, meter(operation, outcome)));
            return outcomes;
        }

        private Meter meter(Operation operation, String outcome) {
            String name = "interlock." + operation.primitive() + '.' + operation.verb();
            if (operation.timed()) {
                Timer timer = Timer.builder(name).tag("outcome", outcome).register(registry);
                return nanos -> timer.record(nanos, TimeUnit.NANOSECONDS);
            }
            Counter counter = Counter.builder(name).tag("outcome", outcome).register(registry);
            return nanos -> counter.increment();
        }

        ScriptMeters script(String script) {
            ScriptMeters known = scripts.get(script);
            if (known != null) {
                return known;
            }
            return scripts.computeIfAbsent(scripts.size() < MAX_SCRIPTS ? script : OTHER_SCRIPT, this::registerScript);
        }

        private ScriptMeters registerScript(String script) {
            Map<Outcome, Timer> runs = new EnumMap<>(Outcome.class);
            for (Outcome outcome : Outcome.values()) {
                String tag = outcome.name().toLowerCase(Locale.ROOT);
                runs.put(
                        outcome,
                        Timer.builder("interlock.script.run")
                                .tag("script", script)
                                .tag("outcome", tag)
                                .register(registry));
            }
            return new ScriptMeters(
                    runs,
                    counter("interlock.script.reload", script),
                    counter("interlock.script.resend", script),
                    counter("interlock.script.crossslot", script));
        }

        private Counter counter(String name, String script) {
            return Counter.builder(name).tag("script", script).register(registry);
        }
    }
}
