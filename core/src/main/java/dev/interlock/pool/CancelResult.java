// SPDX-License-Identifier: Apache-2.0
package dev.interlock.pool;

import java.time.Duration;

/** What {@link Holds#cancel(String)} decided. All but {@link Cancelled} changed nothing. */
public sealed interface CancelResult {
    /**
     * The units went back, by this call or by an earlier one; the answer is the same.
     *
     * @param sequence number of the event that gave them back
     */
    record Cancelled(long sequence) implements CancelResult {}

    /** The units are issued already; take them back with {@link PoolControl#revoke(String, long, String)}. */
    record AlreadyConfirmed() implements CancelResult {}

    /** The deadline had passed, so the units went back before. */
    record AlreadyExpired() implements CancelResult {}

    /** There is no such hold in this pool, or it ended more than 24 hours ago. */
    record UnknownHold() implements CancelResult {}

    /** There is no such pool in Redis: it was never created, or its data is gone. */
    record UnknownPool() implements CancelResult {}

    /**
     * The pool is fenced while its state is put right.
     *
     * @param retryAfter when to ask again
     */
    record Rebuilding(Duration retryAfter) implements CancelResult {}
}
