// SPDX-License-Identifier: Apache-2.0
package dev.interlock.lock;

import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;
import reactor.core.publisher.Mono;

/**
 * Permits of a semaphore, or those to read or to write of a {@link ReadWriteLock}. Each permit is a lease of its own, with
 * a token, an end and a fence: one holder neither keeps another's permit alive nor can release it. What {@link Lease} says
 * about exclusion holds for as many leases as there are permits.
 *
 * <p>Guarantees: by the monotonic clocks of the holders no more permits are valid at any moment than there are, as long as
 * Redis keeps its data; the permit of a holder that died is free again at the end of its lease by the clock of Redis, whatever
 * the clocks of its clients say; permits are given first come, first served, between JVMs and within each; a permit that its
 * caller does not want any more is released. Does not guarantee the number after Redis lost data or was failed over, nor to
 * a process that was paused. All callers of one name must name the same number of permits: each is served by his own.
 *
 * <p>Stateless and cheap; usable from any thread; nothing to close. One script call to acquire and one to release,
 * O(log holders). Failures as those of {@link DistributedLock}.
 */
public interface Permits {
    /**
     * Takes a permit, waiting if need be.
     *
     * @param wait longest wait, zero (one attempt) to 1 day, kept to 20 ms
     * @return the lease; close it
     * @throws LockTimeoutException if none was free for the whole wait
     * @throws InterruptedException if the thread is interrupted before or while it waits; nothing stays held
     * @throws IllegalArgumentException before anything is sent, if the wait lies outside
     */
    Lease acquire(Duration wait) throws InterruptedException;

    /**
     * Takes a permit if one is free now and nobody waits: one attempt, which an interrupt does not stop.
     *
     * @return the lease, or empty; then nothing changed
     */
    Optional<Lease> tryAcquire();

    /**
     * Takes a permit, waiting if need be.
     *
     * @param wait as in {@link #acquire(Duration)}
     * @return the lease, or empty if none was free for the whole wait; then nothing changed
     * @throws InterruptedException as in {@link #acquire(Duration)}
     * @throws IllegalArgumentException before anything is sent, if the wait lies outside
     */
    Optional<Lease> tryAcquire(Duration wait) throws InterruptedException;

    /**
     * Releases by token, from another step, thread or process than the one that acquired.
     *
     * @param ownerToken what {@link Lease#ownerToken()} gave
     * @return released, or expired; the latter changed nothing
     * @throws IllegalArgumentException before anything is sent, if it is no token
     */
    ReleaseResult release(String ownerToken);

    /**
     * Reads how many permits are held, of a read-write lock those to read and to write together. A diagnosis, out of date
     * when it arrives: never decide by it.
     *
     * @return the count
     */
    long held();

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

    /** As {@link Permits}; stages complete on I/O threads. Cancelling a stage's future ends the wait. */
    interface Async {
        /** As {@link Permits#acquire(Duration)}. */
        CompletionStage<Lease> acquire(Duration wait);

        /** As {@link Permits#tryAcquire()}. */
        CompletionStage<Optional<Lease>> tryAcquire();

        /** As {@link Permits#tryAcquire(Duration)}. */
        CompletionStage<Optional<Lease>> tryAcquire(Duration wait);

        /** As {@link Permits#release(String)}. */
        CompletionStage<ReleaseResult> release(String ownerToken);

        /** As {@link Permits#held()}. */
        CompletionStage<Long> held();
    }

    /**
     * As {@link Permits}; each subscription is one call. Cancelling ends the wait; at the very moment of a grant it may drop the
     * lease unseen: prefer {@link #withLease}, which cannot.
     */
    interface Reactive {
        /** As {@link Permits#acquire(Duration)}. */
        Mono<Lease> acquire(Duration wait);

        /** As {@link Permits#tryAcquire()}; empty if none is free. */
        Mono<Lease> tryAcquire();

        /** As {@link Permits#tryAcquire(Duration)}; empty if none was free for the whole wait. */
        Mono<Lease> tryAcquire(Duration wait);

        /** As {@link Permits#release(String)}. */
        Mono<ReleaseResult> release(String ownerToken);

        /** As {@link Permits#held()}. */
        Mono<Long> held();

        /**
         * Does work under a permit, which is released once, on completion, error or cancellation.
         *
         * @param wait as in {@link Permits#acquire(Duration)}
         * @param work what to do
         * @param <T> type of its result
         * @return its result; fails with {@link LockTimeoutException} if no permit was free for the whole wait
         */
        default <T> Mono<T> withLease(Duration wait, Function<Lease, ? extends Mono<? extends T>> work) {
            return Mono.usingWhen(acquire(wait), work, Lease::closed);
        }
    }
}
