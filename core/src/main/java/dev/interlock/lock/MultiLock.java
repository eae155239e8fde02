// SPDX-License-Identifier: Apache-2.0
package dev.interlock.lock;

import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletionStage;
import reactor.core.publisher.Mono;

/**
 * Several locks as one: all or none. They are the plain locks of the same names, and exclude them.
 *
 * <p>Guarantees: no deadlock, as all callers acquire in one canonical order whatever order they name; after a time-out, a
 * failure, an interrupt or a cancellation nothing stays held. One script decides over all at once if they share a node: always
 * on a standalone server, and in a cluster within a {@link LockGroup}. A caller that must wait, or whose locks are on several
 * nodes, acquires one after the other in the canonical order, first come, first served at each; so while it waits it may hold
 * those before.
 *
 * <p>Guarantees and failures for each lock as those of {@link DistributedLock}. Stateless; usable from any thread.
 */
public interface MultiLock {
    /**
     * Acquires all, waiting if need be.
     *
     * @param wait longest wait for all together, zero (one attempt) to 1 day, kept to 20 ms
     * @return the lease of all; close it
     * @throws LockTimeoutException if others held one of them for the whole wait
     * @throws InterruptedException if the thread is interrupted before or while it waits; nothing stays held
     * @throws IllegalArgumentException before anything is sent, if the wait lies outside
     */
    MultiLease acquire(Duration wait) throws InterruptedException;

    /**
     * Acquires all if all are free now: one attempt, which an interrupt does not stop.
     *
     * @return the lease of all, or empty if another holds one of them or waits for it; then nothing changed
     */
    Optional<MultiLease> tryAcquire();

    /**
     * Acquires all, waiting if need be.
     *
     * @param wait as in {@link #acquire(Duration)}
     * @return the lease of all, or empty if others held one of them for the whole wait; then nothing stays held
     * @throws InterruptedException as in {@link #acquire(Duration)}
     * @throws IllegalArgumentException before anything is sent, if the wait lies outside
     */
    Optional<MultiLease> tryAcquire(Duration wait) throws InterruptedException;

    /**
     * The same operations without waiting.
     *
     * @return the asynchronous view
     */
    Async async();

    /**
     * The same operations for Reactor; nothing is sent before subscription.
     *
     * @return the reactive view
     */
    Reactive reactive();

    /** As {@link MultiLock}. Cancelling a stage's future ends the wait and releases what was or may still be granted. */
    interface Async {
        /** As {@link MultiLock#acquire(Duration)}. */
        CompletionStage<MultiLease> acquire(Duration wait);

        /** As {@link MultiLock#tryAcquire()}. */
        CompletionStage<Optional<MultiLease>> tryAcquire();

        /** As {@link MultiLock#tryAcquire(Duration)}. */
        CompletionStage<Optional<MultiLease>> tryAcquire(Duration wait);
    }

    /** As {@link MultiLock}; each subscription is one call. */
    interface Reactive {
        /** As {@link MultiLock#acquire(Duration)}. */
        Mono<MultiLease> acquire(Duration wait);

        /** As {@link MultiLock#tryAcquire()}; empty if another holds one of them. */
        Mono<MultiLease> tryAcquire();

        /** As {@link MultiLock#tryAcquire(Duration)}; empty if others held one of them for the whole wait. */
        Mono<MultiLease> tryAcquire(Duration wait);
    }
}
