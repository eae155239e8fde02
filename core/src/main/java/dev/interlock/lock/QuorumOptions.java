// SPDX-License-Identifier: Apache-2.0
package dev.interlock.lock;

import dev.interlock.internal.Bounds;
import java.time.Duration;

/**
 * How a quorum lock is taken and kept. Start from {@link #DEFAULTS}.
 *
 * @param leaseTime how long a grant lasts unless it is renewed, at least four node time-outs, to 1 day
 * @param renewal whether the lease is prolonged at each third of its time until it is released
 * @param nodeTimeout longest time to wait for one node, 5 ms to 10 s; nodes are asked at once, so slow ones cost it once
 */
public record QuorumOptions(Duration leaseTime, boolean renewal, Duration nodeTimeout) {
    private static final Duration MIN_NODE_TIMEOUT = Duration.ofMillis(5);
    private static final Duration MAX_NODE_TIMEOUT = Duration.ofSeconds(10);

    /** 10 s lease, renewed; 100 ms for a node. */
    public static final QuorumOptions DEFAULTS =
            new QuorumOptions(Duration.ofSeconds(10), true, Duration.ofMillis(100));

    /**
     * Checks all together.
     *
     * @throws IllegalArgumentException if a value lies outside its range
     */
    public QuorumOptions {
        Bounds.millis("nodeTimeout", nodeTimeout, MIN_NODE_TIMEOUT, MAX_NODE_TIMEOUT);
        Bounds.millis("leaseTime", leaseTime, nodeTimeout.multipliedBy(4), LockOptions.MAX_TIME);
        if (renewal) {
            Bounds.millis("leaseTime", leaseTime, LockOptions.MIN_RENEWED_LEASE_TIME, LockOptions.MAX_TIME);
        }
    }

    long leaseMillis() {
        return leaseTime.toMillis();
    }

    /**
     * Another lease time.
     *
     * @param time at least four node time-outs, to 1 day
     * @return a copy
     */
    public QuorumOptions withLeaseTime(Duration time) {
        return new QuorumOptions(time, renewal, nodeTimeout);
    }

    /**
     * Without renewal.
     *
     * @param time the lease time, at least four node time-outs, to 1 day
     * @return a copy
     */
    public QuorumOptions withoutRenewal(Duration time) {
        return new QuorumOptions(time, false, nodeTimeout);
    }

    /**
     * Another patience with one node.
     *
     * @param time 5 ms to 10 s
     * @return a copy
     */
    public QuorumOptions withNodeTimeout(Duration time) {
        return new QuorumOptions(leaseTime, renewal, time);
    }
}
