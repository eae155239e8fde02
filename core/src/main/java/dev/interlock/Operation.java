// SPDX-License-Identifier: Apache-2.0
package dev.interlock;

import java.util.List;
import java.util.Locale;

/**
 * What an {@link InterlockListener} is told about: one operation of a primitive, or one kind of event in its life. The name of
 * its meter is {@code interlock.<primitive>.<verb>}.
 */
public enum Operation {
    /** Somebody asked for a lock, or stood for election; timed from the question to the answer. */
    LOCK_ACQUIRE(Kind.TIMED, "granted", "refused", "failed", "cancelled"),
    /** A lease of a lock ended; timed from the grant. */
    LOCK_HOLD(Kind.TIMED, "released", "lost"),
    /** A lock passed to a waiter without being free: within this JVM, or from another one. */
    LOCK_HANDOVER(Kind.COUNTED, "local", "remote"),
    /** A lease of a lock was to be prolonged: it was, or no answer came, or it had been lost. */
    LOCK_RENEW(Kind.COUNTED, "renewed", "failed", "lost"),
    /** Somebody asked for a permit; timed from the question to the answer. */
    SEMAPHORE_ACQUIRE(Kind.TIMED, "granted", "refused", "failed", "cancelled"),
    /** A permit ended; timed from the grant. */
    SEMAPHORE_HOLD(Kind.TIMED, "released", "lost"),
    /** A permit was to be prolonged. */
    SEMAPHORE_RENEW(Kind.COUNTED, "renewed", "failed", "lost"),
    /** Somebody asked to read or to write; timed from the question to the answer. */
    RWLOCK_ACQUIRE(Kind.TIMED, "granted", "refused", "failed", "cancelled"),
    /** A lease of a read-write lock ended; timed from the grant. */
    RWLOCK_HOLD(Kind.TIMED, "released", "lost"),
    /** A lease of a read-write lock was to be prolonged. */
    RWLOCK_RENEW(Kind.COUNTED, "renewed", "failed", "lost"),
    /** A limiter decided about a request: Redis, this JVM by what it knew, or the outage policy. */
    LIMITER_DECIDE(Kind.TIMED, "allowed", "denied", "denied_locally", "outage_allowed", "outage_denied", "failed"),
    /** Somebody asked a pool for a unit. */
    POOL_ISSUE(
            Kind.TIMED,
            "issued",
            "replayed",
            "already_issued",
            "sold_out",
            "not_open",
            "closed",
            "unknown_pool",
            "rebuilding",
            "failed"),
    /** Somebody took from a counter. */
    STOCK_TAKE(Kind.TIMED, "taken", "insufficient", "unknown", "failed"),
    /** Somebody ordered from a group of counters. */
    STOCK_ORDER(Kind.TIMED, "taken", "insufficient", "unknown", "failed"),
    /** A value was to be swapped. */
    VALUE_SWAP(Kind.TIMED, "success", "not_found", "conflict", "failed"),
    /** A versioned value was to be written. */
    VERSIONED_WRITE(Kind.TIMED, "written", "not_found", "conflict", "failed"),
    /** Work was to be done once. */
    IDEMPOTENCY_RUN(Kind.TIMED, "completed", "replayed", "in_progress", "mismatch", "superseded", "failed");

    private final boolean timed;
    /** Made by {@code List.of}. */
    @SuppressWarnings("ImmutableEnumChecker")
    private final List<String> outcomes;

    private final String primitive;
    private final String verb;

    private enum Kind {
        TIMED,
        COUNTED
    }

    Operation(Kind kind, String... outcomes) {
        this.timed = kind == Kind.TIMED;
        this.outcomes = List.of(outcomes);
        String name = name().toLowerCase(Locale.ROOT);
        this.primitive = name.substring(0, name.indexOf('_'));
        this.verb = name.substring(name.indexOf('_') + 1);
    }

    /**
     * Whose operation it is.
     *
     * @return for example {@code lock}
     */
    public String primitive() {
        return primitive;
    }

    /**
     * What is done.
     *
     * @return for example {@code acquire}
     */
    public String verb() {
        return verb;
    }

    /**
     * Whether it takes time; else it is only counted.
     *
     * @return true if the time told with it means something
     */
    public boolean timed() {
        return timed;
    }

    /**
     * How it can end.
     *
     * @return all outcomes that are ever told
     */
    public List<String> outcomes() {
        return outcomes;
    }
}
