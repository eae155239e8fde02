// SPDX-License-Identifier: Apache-2.0
package dev.interlock.pool;

/** What {@link PoolControl#schedule} did. All but {@link Scheduled} changed nothing. */
public sealed interface ScheduleResult {
    /**
     * The times were changed.
     *
     * @param sequence number of this event in the pool
     */
    record Scheduled(long sequence) implements ScheduleResult {}

    /** There is no such pool in Redis. */
    record UnknownPool() implements ScheduleResult {}

    /** The pool is fenced while its state is put right; ask again later. */
    record Fenced() implements ScheduleResult {}
}
