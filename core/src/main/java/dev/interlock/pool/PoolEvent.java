// SPDX-License-Identifier: Apache-2.0
package dev.interlock.pool;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * One change of a pool's number of units. The events of an epoch are numbered without gaps from 0, or from where its rebuild
 * began it: numbers are not used twice, in whatever epoch. The sum of their deltas, without those of {@link Kind#ADJUSTED}, is the number of units that should be left: an adjustment undoes what no
 * event told of.
 *
 * @param position which event
 * @param kind what happened
 * @param delta change of the number of units left
 * @param claim whose unit, for {@link Kind#ISSUED} and {@link Kind#REVOKED}, else null
 * @param note why, for {@link Kind#ADJUSTED} and {@link Kind#REVOKED}; the terms of {@link PoolConfig#terms()} for
 *     {@link Kind#CREATED}; else null
 */
public record PoolEvent(
        Position position,
        Kind kind,
        long delta,
        @Nullable Claim claim,
        @Nullable String note) {
    /** What happened. */
    public enum Kind {
        /** The pool was created; the delta is its total. Always event 0. */
        CREATED,
        /** A user got a unit. */
        ISSUED,
        /** A unit was taken back from a user. */
        REVOKED,
        /** The number of units was repaired. */
        ADJUSTED
    }

    /**
     * Which event of a pool.
     *
     * @param epoch life of the pool
     * @param sequence number within it, from 0
     * @param at when, by the clock of Redis, to the microsecond
     */
    public record Position(long epoch, long sequence, Instant at) {}

    /**
     * A user's hold on a unit.
     *
     * @param userId who
     * @param requestId by which request
     * @param nth which unit of this user in this pool, from 1 to the limit per user; it is free again after a revocation
     * @param issue sequence of the event that issued the unit
     */
    public record Claim(String userId, String requestId, int nth, long issue) {}
}
