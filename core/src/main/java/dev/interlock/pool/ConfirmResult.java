// SPDX-License-Identifier: Apache-2.0
package dev.interlock.pool;

import java.time.Duration;

/** What {@link Holds#confirm(String)} decided. All but {@link Confirmed} changed nothing. */
public sealed interface ConfirmResult {
    /**
     * The units are issued, by this call or by an earlier one; the answer is the same.
     *
     * @param firstSequence number of the event that issued the first unit; those of the others follow without a gap
     * @param quantity how many units
     */
    record Confirmed(long firstSequence, long quantity) implements ConfirmResult {}

    /**
     * The hold had expired, and fewer units are left now than it held.
     *
     * @param left how many are left
     */
    record LateNoStock(long left) implements ConfirmResult {}

    /**
     * The hold had expired, and the user has got other units meanwhile, so that the limit allows no more.
     *
     * @param units how many the user has, those held included
     */
    record LateOverLimit(long units) implements ConfirmResult {}

    /** The hold had expired, and the pool has closed. */
    record LateClosed() implements ConfirmResult {}

    /** The hold was cancelled. */
    record Cancelled() implements ConfirmResult {}

    /** There is no such hold in this pool, or it ended more than 24 hours ago. */
    record UnknownHold() implements ConfirmResult {}

    /** There is no such pool in Redis: it was never created, or its data is gone. */
    record UnknownPool() implements ConfirmResult {}

    /**
     * The pool is fenced while its state is put right.
     *
     * @param retryAfter when to ask again
     */
    record Rebuilding(Duration retryAfter) implements ConfirmResult {}
}
