// SPDX-License-Identifier: Apache-2.0
package dev.interlock.pool;

import java.time.Duration;
import java.time.Instant;

/** What {@link Holds#hold(String, long, java.time.Duration, String)} decided. All but {@link Held} changed nothing. */
public sealed interface HoldResult {
    /**
     * The units are held, and the record of it is in the outbox.
     *
     * @param id what to confirm or cancel
     * @param sequence number of this event in the pool
     * @param left units left after it
     * @param expiresAt until when they are held, by the clock of Redis
     */
    record Held(String id, long sequence, long left, Instant expiresAt) implements HoldResult {}

    /**
     * This request had got its hold before.
     *
     * @param hold what became of it; what was cancelled or has expired is not held again, use another request id
     */
    record Replayed(Hold hold) implements HoldResult {}

    /**
     * The user would have more units than the limit allows.
     *
     * @param units how many the user has, those held included
     */
    record LimitReached(long units) implements HoldResult {}

    /**
     * Some units are left, but fewer than were asked for.
     *
     * @param left how many
     */
    record Insufficient(long left) implements HoldResult {}

    /** No unit was left. */
    record SoldOut() implements HoldResult {}

    /**
     * The pool is not open yet.
     *
     * @param opensAt when it opens, by the clock of Redis
     */
    record NotOpen(Instant opensAt) implements HoldResult {}

    /** The pool has closed. */
    record Closed() implements HoldResult {}

    /** There is no such pool in Redis: it was never created, or its data is gone. */
    record UnknownPool() implements HoldResult {}

    /**
     * The pool is fenced while its state is put right.
     *
     * @param retryAfter when to ask again
     */
    record Rebuilding(Duration retryAfter) implements HoldResult {}
}
