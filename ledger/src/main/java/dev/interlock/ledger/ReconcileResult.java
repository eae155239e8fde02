// SPDX-License-Identifier: Apache-2.0
package dev.interlock.ledger;

import dev.interlock.pool.AdjustResult;
import java.util.Optional;

/** What {@link Reconcile#check()} found. */
public sealed interface ReconcileResult {
    /**
     * Redis and the ledger agree exactly.
     *
     * @param sequence the event at which they were compared
     */
    record Consistent(long sequence) implements ReconcileResult {}

    /**
     * The relay did not get far enough in time, so nothing was compared.
     *
     * @param sequence the event to compare at
     * @param recorded latest recorded event of that epoch, -1 if none
     */
    record Lagging(long sequence, long recorded) implements ReconcileResult {}

    /**
     * Redis has another number of units left than its events say. Found twice, at different moments, before it is told.
     *
     * @param epoch life of the pool
     * @param sequence the event at which they were compared
     * @param drift units that Redis has more than the ledger, or less if negative; not 0
     * @param repair what the repair did, or empty if the policy leaves it to you: call
     *     {@link dev.interlock.pool.PoolControl#adjust} with the drift negated
     */
    record Drifted(long epoch, long sequence, long drift, Optional<AdjustResult> repair) implements ReconcileResult {}

    /**
     * The ledger does not have each event once: a fault of recording, or someone changed its rows. Nothing is repaired.
     *
     * @param epoch life of the pool
     * @param sequence the event up to which rows were counted
     * @param rows how many there are; there should be {@code sequence + 1}
     */
    record Miscounted(long epoch, long sequence, long rows) implements ReconcileResult {}

    /** There is no such pool in Redis. */
    record NoPool() implements ReconcileResult {}

    /** The pool is fenced while its state is put right, so there is nothing to compare yet. */
    record Fenced() implements ReconcileResult {}
}
