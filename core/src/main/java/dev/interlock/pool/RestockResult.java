// SPDX-License-Identifier: Apache-2.0
package dev.interlock.pool;

/** What {@link PoolControl#restock(long, String)} did. All but {@link Restocked} changed nothing. */
public sealed interface RestockResult {
    /**
     * The units were added.
     *
     * @param sequence number of this event in the pool
     * @param left units left after it
     */
    record Restocked(long sequence, long left) implements RestockResult {}

    /**
     * This request had added its units before.
     *
     * @param sequence number of the event that added them
     */
    record Replayed(long sequence) implements RestockResult {}

    /**
     * More than 1,000,000,000,000 units would be left.
     *
     * @param left units left
     */
    record TooMany(long left) implements RestockResult {}

    /** There is no such pool in Redis. */
    record UnknownPool() implements RestockResult {}

    /** The pool is fenced while its state is put right; ask again later. */
    record Fenced() implements RestockResult {}
}
