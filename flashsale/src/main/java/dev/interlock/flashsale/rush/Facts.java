// SPDX-License-Identifier: Apache-2.0
package dev.interlock.flashsale.rush;

import org.jspecify.annotations.Nullable;

/**
 * What is true after a rush, read from Redis, from the database, and from what clients were told.
 *
 * @param workload what was asked
 * @param tally what clients were told
 * @param redis the pool in Redis
 * @param database its record
 * @param promises what clients were told against the record
 */
record Facts(Workload workload, Tally tally, InRedis redis, InDatabase database, Promises promises) {
    /**
     * The pool in Redis, read after the last answer.
     *
     * @param sequence number of its latest event
     * @param available units left
     * @param users users that hold a unit
     * @param outboxPending events in the stream that the recorder has not reached
     * @param version of the server
     */
    record InRedis(long sequence, long available, long users, long outboxPending, String version) {}

    /**
     * The record of the pool.
     *
     * @param units rows that stand for an issued unit
     * @param duplicateUsers users with more than one
     * @param events rows of all kinds
     * @param dead events that were set aside
     * @param drift units that Redis has more than the record, or null if they could not be compared
     */
    record InDatabase(
            long units,
            long duplicateUsers,
            Events events,
            long dead,
            @Nullable Long drift) {}

    /**
     * Rows of all kinds.
     *
     * @param count how many
     * @param last highest sequence
     */
    record Events(long count, long last) {}

    /**
     * What clients were told, compared with the rows one by one.
     *
     * @param units different units that clients were promised
     * @param kept those that the database has, with the same user
     * @param conflicts units promised to two users, or beyond the coupons
     */
    record Promises(long units, long kept, long conflicts) {}

    /** Units beyond the coupons, whoever counts more of them. */
    long oversold() {
        return Math.max(0, Math.max(redis.users(), database.units()) - workload.coupons());
    }
}
