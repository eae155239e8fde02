// SPDX-License-Identifier: Apache-2.0
package dev.interlock.idempotency;

import dev.interlock.Codec;
import dev.interlock.internal.Bounds;
import java.time.Duration;

/**
 * How responses are stored, and for how long. Immutable.
 *
 * @param codec for the responses
 * @param lease how long a key stays taken by a caller that has died; a living one renews it three times as often. 1 s to 1
 *     hour, and several times the command time-out
 * @param responseTtl how long a response is given again, by the clock of Redis; from the lease to 366 days
 * @param <T> type of the response
 */
public record IdempotencyConfig<T>(Codec<T> codec, Duration lease, Duration responseTtl) {
    /** Default of {@link #lease()}. */
    public static final Duration DEFAULT_LEASE = Duration.ofSeconds(10);
    /** Default of {@link #responseTtl()}. */
    public static final Duration DEFAULT_RESPONSE_TTL = Duration.ofHours(24);

    private static final Duration MIN_LEASE = Duration.ofSeconds(1);
    private static final Duration MAX_LEASE = Duration.ofHours(1);

    /**
     * Checks the times.
     *
     * @throws IllegalArgumentException if one lies outside or the codec is null
     */
    public IdempotencyConfig {
        if (codec == null) {
            throw new IllegalArgumentException("codec must not be null");
        }
        Bounds.millis("lease", lease, MIN_LEASE, MAX_LEASE);
        Bounds.millis("responseTtl", responseTtl, lease, Bounds.MAX_TIME);
    }

    /**
     * All defaults.
     *
     * @param codec for the responses
     * @param <T> type of the response
     * @return the configuration
     */
    public static <T> IdempotencyConfig<T> of(Codec<T> codec) {
        return new IdempotencyConfig<>(codec, DEFAULT_LEASE, DEFAULT_RESPONSE_TTL);
    }

    /**
     * The same with another lease.
     *
     * @param value 1 s to 1 hour
     * @return the configuration
     * @throws IllegalArgumentException if it lies outside
     */
    public IdempotencyConfig<T> withLease(Duration value) {
        return new IdempotencyConfig<>(codec, value, responseTtl);
    }

    /**
     * The same with another time for responses.
     *
     * @param value from the lease to 366 days
     * @return the configuration
     * @throws IllegalArgumentException if it lies outside
     */
    public IdempotencyConfig<T> withResponseTtl(Duration value) {
        return new IdempotencyConfig<>(codec, lease, value);
    }
}
