// SPDX-License-Identifier: Apache-2.0
package dev.interlock.limit;

import dev.interlock.internal.Bounds;
import java.math.BigInteger;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * How much is allowed in which time, by which algorithm. Immutable. Every time runs on the clock of Redis; all arithmetic is
 * in whole numbers that Lua counts exactly, and what would exceed them is refused when the limit is made.
 *
 * <p>The bounds hold for units that were not refunded. When the clock of Redis is set, at most one more window or burst
 * passes, and nobody is locked out for longer than one full refill (after waits that were granted before).
 */
public sealed interface Limit {
    /** Longest period, and longest time until a bucket is full again. */
    Duration MAX_PERIOD = Duration.ofDays(366);
    /** Most units of a limit. */
    long MAX_PERMITS = 1_000_000_000_000L;

    /**
     * How many units are allowed in the period.
     *
     * @return units
     */
    long permits();

    /**
     * The period.
     *
     * @return the time
     */
    Duration period();

    /**
     * The most units that one request can get; one that asks for more never passes.
     *
     * @return units
     */
    default long most() {
        return permits();
    }

    /**
     * A log of the window (now − period, now]. Bound: never more than the permits in any window of that length. State: a
     * sorted set, O(permits); made for up to 10,000.
     *
     * @param permits 1 to 100,000
     * @param period 1 ms to 366 days, whole microseconds
     * @return the limit
     * @throws IllegalArgumentException if one lies outside
     */
    static SlidingWindow slidingWindow(long permits, Duration period) {
        return new SlidingWindow(permits, period);
    }

    /**
     * The generic cell rate algorithm, which equals a token bucket. Bound: in any interval of length l at most
     * burst + l · permits / period. State: one string, O(1). The burst is as large as the permits unless set.
     *
     * @param permits 1 to 10^12, at most 10^11 in a second
     * @param period 1 ms to 366 days, whole microseconds
     * @return the limit
     * @throws IllegalArgumentException if one lies outside, or the arithmetic would exceed 2^53
     */
    static Gcra gcra(long permits, Duration period) {
        return new Gcra(permits, period, permits);
    }

    /**
     * A sliding window in ten buckets. Bound: never more than the permits in any window of that length; of an endless
     * demand it lets at least k / (k + 1) of the permits through for k buckets. State: a hash, O(k).
     *
     * @param permits 1 to 10^12, at most 10^11 in a second
     * @param period 1 ms to 366 days, whole microseconds
     * @return the limit
     * @throws IllegalArgumentException if one lies outside
     */
    static SlidingCounter slidingCounter(long permits, Duration period) {
        return new SlidingCounter(permits, period, SlidingCounter.DEFAULT_BUCKETS);
    }

    /**
     * Windows that begin at multiples of the period since 1970, UTC. Bound: never more than the permits in each of these
     * windows, so up to twice as much in a period that lies across an edge. State: one string, O(1).
     *
     * @param permits 1 to 10^12, at most 10^11 in a second
     * @param period 1 ms to 366 days, whole microseconds
     * @return the limit
     * @throws IllegalArgumentException if one lies outside
     */
    static FixedWindow fixedWindow(long permits, Duration period) {
        return new FixedWindow(permits, period);
    }

    /**
     * See {@link Limit#slidingWindow(long, Duration)}.
     *
     * @param permits units
     * @param period time
     */
    record SlidingWindow(long permits, Duration period) implements Limit {
        /** Most units, because each may be an entry of its own. */
        public static final long MAX_LOG_PERMITS = 100_000;

        /** Checks the ranges. */
        public SlidingWindow {
            Bounds.range("permits of a slidingWindow (larger ones: slidingCounter)", permits, 1, MAX_LOG_PERMITS);
            checkRate(permits, period);
        }
    }

    /**
     * See {@link Limit#gcra(long, Duration)}.
     *
     * @param permits units
     * @param period time in which they come back
     * @param burst most units at once
     */
    record Gcra(long permits, Duration period, long burst) implements Limit {
        private static final BigInteger EXACT = BigInteger.ONE.shiftLeft(53);

        /** Checks the ranges and that no number exceeds 2^53. */
        public Gcra {
            checkRate(permits, period);
            Bounds.range("burst", burst, 1, MAX_PERMITS);
            BigInteger p = BigInteger.valueOf(period.toNanos() / 1000);
            BigInteger n = BigInteger.valueOf(permits);
            BigInteger gcd = p.gcd(n);
            BigInteger[] unit = p.divide(gcd).divideAndRemainder(n.divide(gcd));
            BigInteger most = BigInteger.valueOf(burst + 1);
            if (most.multiply(unit[1]).add(n).compareTo(EXACT) >= 0) {
                throw new IllegalArgumentException("gcra of " + permits + " in " + period + " with a burst of " + burst
                        + " cannot be computed exactly: (burst + 1) times the rest of period / permits exceeds 2^53; take"
                        + " rounder numbers or a smaller burst");
            }
            BigInteger refill = BigInteger.valueOf(burst).multiply(p).divide(n);
            if (refill.compareTo(BigInteger.valueOf(MAX_PERIOD.toNanos() / 1000)) > 0) {
                throw new IllegalArgumentException("burst of " + burst + " must be back within " + MAX_PERIOD
                        + " but at " + permits + " in " + period + " that takes longer");
            }
        }

        /**
         * The same with another burst.
         *
         * @param units 1 to 10^12
         * @return the limit
         * @throws IllegalArgumentException if it lies outside, the arithmetic would exceed 2^53, or a full refill would take
         *     longer than 366 days
         */
        public Gcra burst(long units) {
            return new Gcra(permits, period, units);
        }

        @Override
        public long most() {
            return burst;
        }
    }

    /**
     * See {@link Limit#slidingCounter(long, Duration)}.
     *
     * @param permits units
     * @param period time
     * @param buckets into how many parts the period is cut, 1 to 100
     */
    record SlidingCounter(long permits, Duration period, int buckets) implements Limit {
        /** How many buckets there are unless set. */
        public static final int DEFAULT_BUCKETS = 10;

        private static final int MAX_BUCKETS = 100;

        /** Checks the ranges. */
        public SlidingCounter {
            checkRate(permits, period);
            Bounds.range("buckets", buckets, 1, MAX_BUCKETS);
        }

        /**
         * The same with another number of buckets: more let more of the permits through, and cost more.
         *
         * @param count 1 to 100
         * @return the limit
         * @throws IllegalArgumentException if it lies outside
         */
        public SlidingCounter buckets(int count) {
            return new SlidingCounter(permits, period, count);
        }
    }

    /**
     * See {@link Limit#fixedWindow(long, Duration)}.
     *
     * @param permits units
     * @param period time
     */
    record FixedWindow(long permits, Duration period) implements Limit {
        /** Checks the ranges. */
        public FixedWindow {
            checkRate(permits, period);
        }
    }

    private static void checkRate(long permits, @Nullable Duration period) {
        long maxPerMicro = 100_000;
        Bounds.range("permits", permits, 1, MAX_PERMITS);
        if (period == null) {
            throw new IllegalArgumentException("period must not be null");
        }
        if (period.compareTo(Duration.ofMillis(1)) < 0 || period.compareTo(MAX_PERIOD) > 0) {
            throw new IllegalArgumentException("period must be from PT0.001S to " + MAX_PERIOD + " but is " + period);
        }
        if (period.toNanos() % 1000 != 0) {
            throw new IllegalArgumentException("period must be whole microseconds but is " + period);
        }
        if (permits / maxPerMicro > period.toNanos() / 1000) {
            throw new IllegalArgumentException(
                    "permits must be at most 10^11 in a second but are " + permits + " in " + period);
        }
    }
}
