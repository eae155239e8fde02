// SPDX-License-Identifier: Apache-2.0
package dev.interlock.flashsale.serve.decision;

import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Timer;
import java.time.Duration;
import java.util.EnumMap;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;
import org.HdrHistogram.Histogram;
import org.HdrHistogram.Recorder;
import org.springframework.stereotype.Component;

/**
 * Counts and times every decision: for the meters {@code flashsale.decisions}, and for the page. Thread-safe; a decision costs
 * well under a microsecond.
 */
@Component
public final class Decisions {
    private static final long LONGEST_NANOS = TimeUnit.MINUTES.toNanos(1);
    private static final Duration SHORTEST = Duration.ofNanos(100_000);
    private static final Duration LONGEST = Duration.ofSeconds(10);
    private static final int DIGITS = 2;

    private final Map<Outcome, Meters> meters = new EnumMap<>(Outcome.class);
    private final Recorder recent = new Recorder(LONGEST_NANOS, DIGITS);

    /**
     * What was counted since the last time that was asked.
     *
     * @param counts decisions since the start, by outcome
     * @param times how long the recent ones took, in nanoseconds
     */
    public record Sample(Map<Outcome, Long> counts, Histogram times) {}

    private record Meters(LongAdder count, Timer timer) {}

    Decisions(MeterRegistry registry) {
        for (Outcome outcome : Outcome.values()) {
            Timer timer = Timer.builder("flashsale.decisions")
                    .description("Decisions about coupons and holds")
                    .tag("outcome", outcome.text())
                    .publishPercentileHistogram()
                    .minimumExpectedValue(SHORTEST)
                    .maximumExpectedValue(LONGEST)
                    .register(registry);
            meters.put(outcome, new Meters(new LongAdder(), timer));
        }
    }

    /**
     * Counts one.
     *
     * @param outcome what the user is told
     * @param nanos how long it took, in nanoseconds
     */
    public void add(Outcome outcome, long nanos) {
        Meters found = Objects.requireNonNull(meters.get(outcome));
        found.count.increment();
        found.timer.record(nanos, TimeUnit.NANOSECONDS);
        recent.recordValue(Math.min(Math.max(0, nanos), LONGEST_NANOS));
    }

    /**
     * Takes a sample. Only one caller may: the times are handed out once.
     *
     * @return counts since the start and times since the last sample
     */
    public Sample sample() {
        Map<Outcome, Long> now = new EnumMap<>(Outcome.class);
        meters.forEach((outcome, each) -> now.put(outcome, each.count.sum()));
        return new Sample(now, recent.getIntervalHistogram());
    }
}
