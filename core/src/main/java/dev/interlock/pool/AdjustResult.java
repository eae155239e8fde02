// SPDX-License-Identifier: Apache-2.0
package dev.interlock.pool;

/** What {@link PoolControl#adjust(Adjustment)} or {@link PoolControl#revoke(String, long, String)} did. */
public sealed interface AdjustResult {
    /**
     * The number of units was changed and the change is an event in the outbox.
     *
     * @param sequence number of that event
     * @param left units left after it
     */
    record Adjusted(long sequence, long left) implements AdjustResult {}

    /**
     * What the change was based on holds no more: the epoch differs, another adjustment came later than the given
     * sequence, the unit was revoked already, or fewer units are left than were to be taken. Nothing changed.
     *
     * @param sequence number of the pool's latest event
     */
    record Outdated(long sequence) implements AdjustResult {}

    /** The pool is fenced while its state is put right; ask again later. Nothing changed. */
    record Fenced() implements AdjustResult {}

    /** There is no such pool in Redis. Nothing changed. */
    record NoPool() implements AdjustResult {}
}
