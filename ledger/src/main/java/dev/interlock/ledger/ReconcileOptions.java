// SPDX-License-Identifier: Apache-2.0
package dev.interlock.ledger;

import java.time.Duration;

/**
 * Settings of a {@link Reconcile}. Immutable; start from {@link #DEFAULTS}.
 *
 * @param policy what to repair
 * @param maxLag how long to wait for the relay to record what Redis has done, 10 ms to 1 h
 */
public record ReconcileOptions(RepairPolicy policy, Duration maxLag) {
    /** Repairs towards less stock, waits 10 s for the relay. */
    public static final ReconcileOptions DEFAULTS =
            new ReconcileOptions(RepairPolicy.TOWARDS_LESS, Duration.ofSeconds(10));

    /**
     * Checks every setting.
     *
     * @throws IllegalArgumentException if one lies outside its range
     */
    public ReconcileOptions {
        RelayOptions.within("maxLag", maxLag, Duration.ofMillis(10), Duration.ofHours(1));
    }

    /**
     * The same with another policy.
     *
     * @param repairs what to repair
     * @return the options
     */
    public ReconcileOptions withPolicy(RepairPolicy repairs) {
        return new ReconcileOptions(repairs, maxLag);
    }

    /**
     * The same with another wait for the relay.
     *
     * @param wait 10 ms to 1 h
     * @return the options
     */
    public ReconcileOptions withMaxLag(Duration wait) {
        return new ReconcileOptions(policy, wait);
    }
}
