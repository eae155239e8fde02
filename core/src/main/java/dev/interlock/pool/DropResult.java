// SPDX-License-Identifier: Apache-2.0
package dev.interlock.pool;

import java.time.Instant;

/** What {@link PoolControl#drop(long)} did. All but {@link Dropped} changed nothing. */
public sealed interface DropResult {
    /**
     * The pool was deleted; only the event that says so is left, for the recorder.
     *
     * @param sequence number of that event
     */
    record Dropped(long sequence) implements DropResult {}

    /**
     * The pool has not closed yet.
     *
     * @param closesAt when it closes, by the clock of Redis; a moment after the year 2200 stands for never
     */
    record StillOpen(Instant closesAt) implements DropResult {}

    /**
     * Units are held for users.
     *
     * @param holds how many holds live
     */
    record StillHeld(long holds) implements DropResult {}

    /**
     * Events are not recorded yet.
     *
     * @param entries how many entries wait in the outbox
     */
    record Unrecorded(long entries) implements DropResult {}

    /**
     * Units that this shard has sent to others may not have arrived.
     *
     * @param transfers how many transfers are open
     */
    record InTransit(long transfers) implements DropResult {}

    /** There is no such pool in Redis, or it has another epoch. */
    record UnknownPool() implements DropResult {}

    /** The pool is fenced while its state is put right; ask again later. */
    record Fenced() implements DropResult {}
}
