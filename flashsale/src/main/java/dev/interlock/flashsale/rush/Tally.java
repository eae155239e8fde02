// SPDX-License-Identifier: Apache-2.0
package dev.interlock.flashsale.rush;

import java.util.concurrent.TimeUnit;
import org.HdrHistogram.Histogram;

/** What clients were told, and after how long. Not thread-safe: one for each thread, added up at the end. */
final class Tally {
    private static final long LONGEST_NANOS = TimeUnit.MINUTES.toNanos(2);
    private static final int DIGITS = 3;

    private final long[] counts = new long[Answer.values().length];
    private final Histogram nanos;

    Tally() {
        this(new Histogram(LONGEST_NANOS, DIGITS));
    }

    private Tally(Histogram nanos) {
        this.nanos = nanos;
    }

    static Tally of(long[] counts, Histogram nanos) {
        Tally tally = new Tally(nanos);
        System.arraycopy(counts, 0, tally.counts, 0, counts.length);
        return tally;
    }

    void add(Answer answer, long elapsedNanos) {
        counts[answer.ordinal()]++;
        nanos.recordValue(Math.min(elapsedNanos, LONGEST_NANOS));
    }

    void add(Tally other) {
        for (int i = 0; i < counts.length; i++) {
            counts[i] += other.counts[i];
        }
        nanos.add(other.nanos);
    }

    long count(Answer answer) {
        return counts[answer.ordinal()];
    }

    long[] counts() {
        return counts.clone();
    }

    long total() {
        long total = 0;
        for (long count : counts) {
            total += count;
        }
        return total;
    }

    Histogram nanos() {
        return nanos;
    }
}
