// SPDX-License-Identifier: Apache-2.0
package dev.interlock.pool;

import dev.interlock.internal.Bounds;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * What a pool is created with. Immutable; start from {@link #of(long)}.
 *
 * @param total units, 0 to 1,000,000,000,000
 * @param limitPerUser units that one user may get, 1 to 100; 1 by default
 * @param opensAt from when units are issued, or null for at once
 * @param closesAt from when no more units are issued, or null for never; after {@code opensAt}
 * @param epoch which life of the pool this is, 1 to 10^12; 1 by default. A pool created again after its data was lost needs
 *     a higher one than any before
 */
public record PoolConfig(
        long total,
        int limitPerUser,
        @Nullable Instant opensAt,
        @Nullable Instant closesAt,
        long epoch) {
    /** Default of {@link #limitPerUser()}. */
    public static final int DEFAULT_LIMIT_PER_USER = 1;
    /** Default of {@link #epoch()}. */
    public static final long FIRST_EPOCH = 1;

    private static final int MAX_LIMIT = 100;
    static final long MAX_EPOCH = 1_000_000_000_000L;
    private static final Instant EARLIEST = Instant.EPOCH;
    private static final Instant LATEST = Instant.parse("9999-01-01T00:00:00Z");

    /**
     * Checks every setting and their combination.
     *
     * @throws IllegalArgumentException if one lies outside its range, or the pool would close before it opens
     */
    public PoolConfig {
        Bounds.range("total", total, 0, Bounds.MAX_TOTAL);
        Bounds.range("limitPerUser", limitPerUser, 1, MAX_LIMIT);
        Bounds.range("epoch", epoch, 1, MAX_EPOCH);
        inTime("opensAt", opensAt);
        inTime("closesAt", closesAt);
        if (closesAt != null && !closesAt.isAfter(opensAt == null ? EARLIEST : opensAt)) {
            throw new IllegalArgumentException(
                    "closesAt must be after opensAt but is " + closesAt + ", opensAt " + opensAt);
        }
    }

    private static void inTime(String parameter, @Nullable Instant value) {
        if (value != null && (value.isBefore(EARLIEST) || !value.isBefore(LATEST))) {
            throw new IllegalArgumentException(
                    parameter + " must be from " + EARLIEST + " to before " + LATEST + " but is " + value);
        }
    }

    /**
     * A pool of so many units, open at once, one a user.
     *
     * @param total units
     * @return the configuration
     */
    public static PoolConfig of(long total) {
        return new PoolConfig(total, DEFAULT_LIMIT_PER_USER, null, null, FIRST_EPOCH);
    }

    /**
     * The same with another limit per user.
     *
     * @param units 1 to 100
     * @return the configuration
     */
    public PoolConfig withLimitPerUser(int units) {
        return new PoolConfig(total, units, opensAt, closesAt, epoch);
    }

    /**
     * The same, open from a moment to another by the clock of Redis.
     *
     * @param from first moment, or null for at once
     * @param to first moment after, or null for never
     * @return the configuration
     */
    public PoolConfig open(@Nullable Instant from, @Nullable Instant to) {
        return new PoolConfig(total, limitPerUser, from, to, epoch);
    }

    /**
     * The same in another life of the pool.
     *
     * @param number 1 to 10^12, higher than any before
     * @return the configuration
     */
    public PoolConfig withEpoch(long number) {
        return new PoolConfig(total, limitPerUser, opensAt, closesAt, number);
    }
}
