// SPDX-License-Identifier: Apache-2.0
package dev.interlock.pool;

import java.time.Duration;
import java.time.Instant;

/** What {@link Pool#issue(String, String)} decided. */
public sealed interface IssueResult {
    /**
     * The user got a unit, and its record is in the outbox.
     *
     * @param sequence number of this event in the pool, from 1, without gaps
     * @param left units left after it; 0 for the last unit
     */
    record Issued(long sequence, long left) implements IssueResult {}

    /**
     * This request had got its unit before, perhaps by an attempt whose reply was lost. Nothing changed.
     *
     * @param sequence number of the event that issued it
     */
    record Replayed(long sequence) implements IssueResult {}

    /**
     * The user has as many units as the limit allows, by other requests or on hold. Nothing changed.
     *
     * @param sequence number of the event that issued, or held, the latest of them
     */
    record AlreadyIssued(long sequence) implements IssueResult {}

    /** No unit was left. Nothing changed. */
    record SoldOut() implements IssueResult {}

    /**
     * The pool is not open yet. Nothing changed.
     *
     * @param opensAt when it opens, by the clock of Redis
     */
    record NotOpen(Instant opensAt) implements IssueResult {}

    /** The pool has closed. Nothing changed. */
    record Closed() implements IssueResult {}

    /** There is no such pool in Redis: it was never created, or its data is gone. Nothing changed. */
    record UnknownPool() implements IssueResult {}

    /**
     * The pool is fenced while its state is put right. Nothing changed.
     *
     * @param retryAfter when to ask again
     */
    record Rebuilding(Duration retryAfter) implements IssueResult {}
}
