// SPDX-License-Identifier: Apache-2.0
package dev.interlock.lock;

import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletionStage;
import reactor.core.publisher.Mono;

/**
 * A lock held by the majority of several independent Redis servers (Redlock, by S. Sanfilippo), with a fence.
 *
 * <p>Guarantees: it works while a majority of the servers does, and a minority that is dead, paused or slow costs at most
 * one node time-out; a lease is valid for its time less what the acquire took, less 1 % and 2 ms; every later lease has a
 * larger fence, as the largest fence of a majority is written back to a majority before anybody gets a lease, and majorities
 * meet; what a failed or doubtful acquire got is given back on all nodes. Does not guarantee exclusion if the clock of a
 * majority jumps, if a server loses its data and comes back within a lease, or for a process that was paused: have the
 * resource check the fence.
 *
 * <p>In no order between those who wait: each tries again after a short random pause. The loss of a lease is noticed at its
 * next renewal or end, not by push. A node must have been reached once, when its Interlock was made. Two script calls to
 * each node to acquire, one to release. Stateless; usable from any thread.
 */
public interface QuorumLock {
    /**
     * Acquires it, waiting if need be.
     *
     * @param wait longest wait, zero (one attempt) to 1 day; an attempt under way is ended first
     * @return the lease; close it
     * @throws LockTimeoutException if others held it for the whole wait
     * @throws dev.interlock.NotExecutedException if no majority could be reached
     * @throws InterruptedException if the thread is interrupted before or while it waits; nothing stays held
     * @throws IllegalArgumentException before anything is sent, if the wait lies outside
     */
    QuorumLease acquire(Duration wait) throws InterruptedException;

    /**
     * One attempt, which an interrupt does not stop.
     *
     * @return the lease, or empty if others hold it or ask at the same time; what was got is given back
     * @throws dev.interlock.NotExecutedException if no majority could be reached
     */
    Optional<QuorumLease> tryAcquire();

    /**
     * Acquires it, waiting if need be.
     *
     * @param wait as in {@link #acquire(Duration)}
     * @return the lease, or empty if others held it for the whole wait
     * @throws dev.interlock.NotExecutedException if no majority could be reached
     * @throws InterruptedException as in {@link #acquire(Duration)}
     * @throws IllegalArgumentException before anything is sent, if the wait lies outside
     */
    Optional<QuorumLease> tryAcquire(Duration wait) throws InterruptedException;

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

    /** As {@link QuorumLock}. Cancelling a stage's future ends the wait and gives back what may still be granted. */
    interface Async {
        /** As {@link QuorumLock#acquire(Duration)}. */
        CompletionStage<QuorumLease> acquire(Duration wait);

        /** As {@link QuorumLock#tryAcquire()}. */
        CompletionStage<Optional<QuorumLease>> tryAcquire();

        /** As {@link QuorumLock#tryAcquire(Duration)}. */
        CompletionStage<Optional<QuorumLease>> tryAcquire(Duration wait);
    }

    /** As {@link QuorumLock}; each subscription is one call. */
    interface Reactive {
        /** As {@link QuorumLock#acquire(Duration)}. */
        Mono<QuorumLease> acquire(Duration wait);

        /** As {@link QuorumLock#tryAcquire()}; empty if others hold it. */
        Mono<QuorumLease> tryAcquire();

        /** As {@link QuorumLock#tryAcquire(Duration)}; empty if others held it for the whole wait. */
        Mono<QuorumLease> tryAcquire(Duration wait);
    }
}
