// SPDX-License-Identifier: Apache-2.0
package dev.interlock.lock;

import dev.interlock.internal.Bounds;
import dev.interlock.internal.Keys;
import java.time.Duration;
import java.util.Objects;

/**
 * How a lock is taken and kept. Start from {@link #DEFAULTS}.
 *
 * @param leaseTime how long a grant lasts unless it is renewed, 10 ms to 1 day; at least 100 ms with renewal
 * @param renewal whether Interlock prolongs a lease at each third of its time until it is released
 * @param waitTime wait of callers that have no place for one, zero to 1 day
 * @param waiting how to wait
 * @param keyPrefix first part of the keys, as in {@link dev.interlock.InterlockBuilder#keyPrefix}; empty for that of the
 *     Interlock
 */
public record LockOptions(Duration leaseTime, boolean renewal, Duration waitTime, Waiting waiting, String keyPrefix) {
    /** Shortest lease. */
    public static final Duration MIN_LEASE_TIME = Duration.ofMillis(10);
    /** Shortest lease that is renewed: a third of it must hold a round trip. */
    public static final Duration MIN_RENEWED_LEASE_TIME = Duration.ofMillis(100);
    /** Longest lease, and longest wait. */
    public static final Duration MAX_TIME = Duration.ofDays(1);
    /** 30 s lease, renewed; 10 s wait; first come, first served. */
    public static final LockOptions DEFAULTS =
            new LockOptions(Duration.ofSeconds(30), true, Duration.ofSeconds(10), Waiting.QUEUE, "");

    /** How to wait for a lock that another holds. */
    public enum Waiting {
        /** First come, first served, in this JVM and between JVMs; told by push when it is one's turn. */
        QUEUE,
        /** As {@link #QUEUE}, but a newcomer may take a lock that is free at his moment ahead of those who wait. */
        BARGING,
        /** Ask again and again, with growing, jittered pauses. In no order; for servers that cannot push. */
        SPIN
    }

    /**
     * Checks all together.
     *
     * @throws IllegalArgumentException if a value lies outside its range
     */
    public LockOptions {
        Bounds.millis("leaseTime", leaseTime, renewal ? MIN_RENEWED_LEASE_TIME : MIN_LEASE_TIME, MAX_TIME);
        waitMillis("waitTime", waitTime);
        Objects.requireNonNull(waiting, "waiting");
        if (!keyPrefix.isEmpty()) {
            keyPrefix = new Keys(keyPrefix).prefix();
        }
    }

    /** A wait in milliseconds; zero means one attempt. */
    static long waitMillis(String parameter, Duration wait) {
        return Bounds.millis(parameter, wait, Duration.ZERO, MAX_TIME);
    }

    /** The lease time in milliseconds. */
    long leaseMillis() {
        return leaseTime.toMillis();
    }

    /**
     * Another lease time.
     *
     * @param time 10 ms to 1 day; at least 100 ms with renewal
     * @return a copy
     */
    public LockOptions withLeaseTime(Duration time) {
        return new LockOptions(time, renewal, waitTime, waiting, keyPrefix);
    }

    /**
     * Without renewal: the lease ends by itself after its time, however long the work takes.
     *
     * @param time the lease time, 10 ms to 1 day
     * @return a copy
     */
    public LockOptions withoutRenewal(Duration time) {
        return new LockOptions(time, false, waitTime, waiting, keyPrefix);
    }

    /**
     * Another wait for callers that have no place for one.
     *
     * @param time zero to 1 day
     * @return a copy
     */
    public LockOptions withWaitTime(Duration time) {
        return new LockOptions(leaseTime, renewal, time, waiting, keyPrefix);
    }

    /**
     * Another way to wait.
     *
     * @param way how
     * @return a copy
     */
    public LockOptions withWaiting(Waiting way) {
        return new LockOptions(leaseTime, renewal, waitTime, way, keyPrefix);
    }

    /**
     * Another prefix of the keys.
     *
     * @param prefix 1 to 64 letters, digits and the signs {@code _ . : -}; empty for that of the Interlock
     * @return a copy
     */
    public LockOptions withKeyPrefix(String prefix) {
        return new LockOptions(leaseTime, renewal, waitTime, waiting, prefix);
    }
}
