// SPDX-License-Identifier: Apache-2.0
package dev.interlock.flashsale.rush;

import java.util.EnumMap;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.HdrHistogram.Histogram;

/** What clients were told, and after how long. Not thread-safe: one for each thread, added up at the end. */
final class Tally {
    private static final long LONGEST_NANOS = TimeUnit.MINUTES.toNanos(2);
    private static final int DIGITS = 3;

    private final Map<Answer, Long> counts = new EnumMap<>(Answer.class);
    private final Histogram nanos;

    Tally() {
        this(new Histogram(LONGEST_NANOS, DIGITS), Map.of());
    }

    Tally(Histogram nanos, Map<Answer, Long> counts) {
        this.nanos = nanos;
        this.counts.putAll(counts);
    }

    void add(Answer answer, long elapsedNanos) {
        counts.merge(answer, 1L, Long::sum);
        nanos.recordValue(Math.min(elapsedNanos, LONGEST_NANOS));
    }

    void add(Tally other) {
        other.counts.forEach((answer, count) -> counts.merge(answer, count, Long::sum));
        nanos.add(other.nanos);
    }

    long count(Answer answer) {
        return counts.getOrDefault(answer, 0L);
    }

    Map<Answer, Long> counts() {
        return Map.copyOf(counts);
    }

    long total() {
        return counts.values().stream().mapToLong(Long::longValue).sum();
    }

    Histogram nanos() {
        return nanos;
    }
}
