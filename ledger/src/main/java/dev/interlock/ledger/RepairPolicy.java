// SPDX-License-Identifier: Apache-2.0
package dev.interlock.ledger;

/** Which differences a {@link Reconcile} repairs by itself. Repairs change Redis, never the ledger. */
public enum RepairPolicy {
    /** None: it only tells. */
    ALARM_ONLY,
    /** Only when Redis has more units left than the ledger: the repair prevents overselling. */
    TOWARDS_LESS,
    /** All. */
    REPAIR;

    boolean repairs(long drift) {
        return this == REPAIR || (this == TOWARDS_LESS && drift > 0);
    }
}
