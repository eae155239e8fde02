// SPDX-License-Identifier: Apache-2.0
package dev.interlock.limit;

import dev.interlock.internal.Bounds;
import java.time.Duration;

/**
 * How a limiter behaves beside its limits. Immutable; start from {@link #DEFAULT}.
 *
 * @param outage who answers when Redis does not; {@link Outage#FAIL_CLOSED} by default
 * @param expectedNodes for {@link Outage#LOCAL}: among how many nodes the limits are shared, 1 to 100,000
 * @param deadline longest time to wait for Redis, 10 ms to 1 minute in whole milliseconds; 100 ms by default
 * @param denialCacheSize most denied users that this JVM remembers, 0 to 1,000,000; 0 switches the denial cache off; 10,000
 *     by default
 */
public record RateLimiterOptions(Outage outage, int expectedNodes, Duration deadline, int denialCacheSize) {
    /** Default of {@link #deadline()}. */
    public static final Duration DEFAULT_DEADLINE = Duration.ofMillis(100);
    /** Default of {@link #denialCacheSize()}. */
    public static final int DEFAULT_DENIAL_CACHE_SIZE = 10_000;
    /** All defaults. */
    public static final RateLimiterOptions DEFAULT =
            new RateLimiterOptions(Outage.FAIL_CLOSED, 1, DEFAULT_DEADLINE, DEFAULT_DENIAL_CACHE_SIZE);

    private static final int MAX_NODES = 100_000;
    private static final int MAX_CACHE = 1_000_000;

    /** Who answers when Redis does not answer within the deadline. */
    public enum Outage {
        /** Everything is allowed. */
        FAIL_OPEN,
        /** Everything is denied, so no limit is ever exceeded. */
        FAIL_CLOSED,
        /** Each JVM grants its share: every limit divided by the expected nodes, rounded down, starting unused. */
        LOCAL
    }

    /** Checks the ranges. */
    public RateLimiterOptions {
        Bounds.range("expectedNodes", expectedNodes, 1, MAX_NODES);
        Bounds.millis("deadline", deadline, Duration.ofMillis(10), Duration.ofMinutes(1));
        Bounds.range("denialCacheSize", denialCacheSize, 0, MAX_CACHE);
    }

    /**
     * The same, allowing everything while Redis is away.
     *
     * @return the options
     */
    public RateLimiterOptions failOpen() {
        return new RateLimiterOptions(Outage.FAIL_OPEN, expectedNodes, deadline, denialCacheSize);
    }

    /**
     * The same, denying everything while Redis is away.
     *
     * @return the options
     */
    public RateLimiterOptions failClosed() {
        return new RateLimiterOptions(Outage.FAIL_CLOSED, expectedNodes, deadline, denialCacheSize);
    }

    /**
     * The same, granting this node's share while Redis is away.
     *
     * @param nodes how many nodes share the limits, 1 to 100,000
     * @return the options
     */
    public RateLimiterOptions local(int nodes) {
        return new RateLimiterOptions(Outage.LOCAL, nodes, deadline, denialCacheSize);
    }

    /**
     * The same with another deadline.
     *
     * @param time 10 ms to 1 minute
     * @return the options
     */
    public RateLimiterOptions withDeadline(Duration time) {
        return new RateLimiterOptions(outage, expectedNodes, time, denialCacheSize);
    }

    /**
     * The same with another size of the denial cache.
     *
     * @param users 0 to 1,000,000; 0 switches it off
     * @return the options
     */
    public RateLimiterOptions withDenialCacheSize(int users) {
        return new RateLimiterOptions(outage, expectedNodes, deadline, users);
    }
}
