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
 * @param claim whose unit, for {@link Kind#ISSUED}, {@link Kind#REVOKED} and {@link Kind#HELD}, else null
 * @param note why, for {@link Kind#ADJUSTED} and {@link Kind#REVOKED}; the terms of {@link PoolConfig#terms()} for
 *     {@link Kind#CREATED}; the request of {@link Kind#RESTOCKED}; the times of {@link Kind#RESCHEDULED}, as "opens closes"
 *     in microseconds since 1970; the other shard for {@link Kind#MOVED_OUT}, and "shard epoch sequence" of the event that
 *     sent them for {@link Kind#MOVED_IN}; a rebuild writes such events too, for units whose departure was lost ("shard epoch
 *     sequence", with the number it had) and for units that come back (a MOVED_IN from the shard itself); else null
 * @param hold which hold it is about, if it is about one, else null
 */
public record PoolEvent(
        Position position,
        Kind kind,
        long delta,
        @Nullable Claim claim,
        @Nullable String note,
        @Nullable OfHold hold) {
    /**
     * An event that is not about a hold.
     *
     * @param position which event
     * @param kind what happened
     * @param delta change of the number of units left
     * @param claim whose unit, or null
     * @param note why, or null
     */
    public PoolEvent(Position position, Kind kind, long delta, @Nullable Claim claim, @Nullable String note) {
        this(position, kind, delta, claim, note, null);
    }

    /** What happened. */
    public enum Kind {
        /** The pool was created; the delta is its total. Always event 0. */
        CREATED,
        /** A user got a unit. The delta is 0 if the unit was held for him until then. */
        ISSUED,
        /** A unit was taken back from a user. */
        REVOKED,
        /** The number of units was repaired. */
        ADJUSTED,
        /** Units were set aside for a user; the delta says how many. */
        HELD,
        /** Held units came back because the hold was cancelled. */
        CANCELLED,
        /** Held units came back because the deadline passed. */
        EXPIRED,
        /** Units were added. */
        RESTOCKED,
        /** The times at which the pool is open were changed. The delta is 0. */
        RESCHEDULED,
        /** Units were sent to another shard of the pool. */
        MOVED_OUT,
        /** Units of another shard of the pool arrived. */
        MOVED_IN,
        /** The pool was deleted; the delta takes away what was left. Always the last event of an epoch. */
        DROPPED
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
     * @param nth which unit of this user in this pool, from 1 to the limit per user; it is free again after a revocation; 0
     *     for {@link Kind#HELD}
     * @param issue sequence of the event that issued or held the unit
     */
    public record Claim(String userId, String requestId, int nth, long issue) {}

    /**
     * The hold that an event is about.
     *
     * @param id what the hold's id ends with; the same in all its events
     * @param deadline until when the units are held, for {@link Kind#HELD}, else null
     */
    public record OfHold(String id, @Nullable Instant deadline) {}
}
