// SPDX-License-Identifier: Apache-2.0
package dev.interlock.lock;

import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/**
 * A lock that many JVMs share: a permit for a limited time, owned by a token and not by a thread, numbered by a fence.
 *
 * <p>Guarantees: at most one lease of a name is valid at any moment, by any monotonic clock, as long as Redis keeps its data;
 * a later lease has a larger fence, also after expiry, force-release and loss of data; a lease that its caller does not want
 * any more (time-out, interrupt, cancellation) is released. Waiters of one JVM, and the JVMs, are served first come, first
 * served. Does not guarantee exclusion after Redis lost data or was failed over, or to a process that was paused: have the
 * resource check the {@linkplain Lease#fence() fence}.
 *
 * <p>Not re-entrant: a second acquire by the same thread waits or is refused like any other. Stateless and cheap; usable from
 * any thread; nothing to close. One script call to acquire and one to release; none to hand over within a JVM. All methods
 * that ask Redis throw {@link dev.interlock.NotExecutedException} (surely nothing happened),
 * {@link dev.interlock.OutcomeUnknownException} (what may have been granted is released as soon as Redis answers) or
 * {@link dev.interlock.CorruptStateException} (another program uses the key; nothing happened).
 */
public interface DistributedLock {
    /**
     * Acquires it, waiting if need be.
     *
     * @param wait longest wait, zero (one attempt) to 1 day, kept to 20 ms
     * @return the lease; close it
     * @throws LockTimeoutException if others held it for the whole wait
     * @throws InterruptedException if the thread is interrupted before or while it waits, also for Redis; nothing stays held
     * @throws IllegalArgumentException before anything is sent, if the wait lies outside
     * @throws IllegalStateException before anything is sent, on an I/O thread
     */
    Lease acquire(Duration wait) throws InterruptedException;

    /**
     * Acquires it if it is free now: one attempt, which an interrupt does not stop.
     *
     * @return the lease, or empty if another holds it; then nothing changed
     */
    Optional<Lease> tryAcquire();

    /**
     * Acquires it, waiting if need be.
     *
     * @param wait as in {@link #acquire(Duration)}
     * @return the lease, or empty if others held it for the whole wait; then nothing changed
     * @throws InterruptedException as in {@link #acquire(Duration)}
     * @throws IllegalArgumentException before anything is sent, if the wait lies outside
     */
    Optional<Lease> tryAcquire(Duration wait) throws InterruptedException;

    /**
     * Releases by token, from another step, thread or process than the one that acquired.
     *
     * @param ownerToken what {@link Lease#ownerToken()} gave
     * @return what it met; all but {@link ReleaseResult.Released} changed nothing
     * @throws IllegalArgumentException before anything is sent, if it is no token
     */
    ReleaseResult release(String ownerToken);

    /**
     * Takes it from whoever holds it and gives it to the next waiter. The holder is told within 100 ms, and his work goes on
     * until he heeds that: for operators, when a holder hangs.
     *
     * @return whether anybody held it
     */
    boolean forceRelease();

    /**
     * Reads who holds it.
     *
     * @return the owner, or empty if nobody holds it
     */
    Optional<LockOwner> owner();

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

    /**
     * As {@link DistributedLock}; stages complete on I/O threads. Cancelling a stage's future ends the wait and releases what
     * may still be granted.
     */
    interface Async {
        /** As {@link DistributedLock#acquire(Duration)}. */
        CompletionStage<Lease> acquire(Duration wait);

        /** As {@link DistributedLock#tryAcquire()}. */
        CompletionStage<Optional<Lease>> tryAcquire();

        /** As {@link DistributedLock#tryAcquire(Duration)}. */
        CompletionStage<Optional<Lease>> tryAcquire(Duration wait);

        /** As {@link DistributedLock#release(String)}. */
        CompletionStage<ReleaseResult> release(String ownerToken);

        /** As {@link DistributedLock#forceRelease()}. */
        CompletionStage<Boolean> forceRelease();

        /** As {@link DistributedLock#owner()}. */
        CompletionStage<Optional<LockOwner>> owner();
    }

    /**
     * As {@link DistributedLock}; each subscription is one call. Cancelling ends the wait, as above. A subscriber that cancels
     * at the very moment it is handed a lease may drop it unseen, and it is held until its Interlock is closed: prefer
     * {@link #withLease}, which cannot.
     */
    interface Reactive {
        /** As {@link DistributedLock#acquire(Duration)}. */
        Mono<Lease> acquire(Duration wait);

        /** As {@link DistributedLock#tryAcquire()}; empty if another holds it. */
        Mono<Lease> tryAcquire();

        /** As {@link DistributedLock#tryAcquire(Duration)}; empty if others held it for the whole wait. */
        Mono<Lease> tryAcquire(Duration wait);

        /** As {@link DistributedLock#release(String)}. */
        Mono<ReleaseResult> release(String ownerToken);

        /** As {@link DistributedLock#forceRelease()}. */
        Mono<Boolean> forceRelease();

        /** As {@link DistributedLock#owner()}; empty if nobody holds it. */
        Mono<LockOwner> owner();

        /**
         * Does work under a lease, which is released once, on completion, error or cancellation. The work never begins
         * without a lease.
         *
         * @param wait as in {@link DistributedLock#acquire(Duration)}
         * @param work what to do
         * @param <T> type of its result
         * @return its result; fails with {@link LockTimeoutException} if others held the lock for the whole wait
         */
        default <T> Mono<T> withLease(Duration wait, Function<Lease, ? extends Mono<? extends T>> work) {
            return Mono.usingWhen(acquire(wait), work, Lease::closed);
        }

        /**
         * As {@link #withLease}, for work with many results.
         *
         * @param wait as in {@link DistributedLock#acquire(Duration)}
         * @param work what to do
         * @param <T> type of its results
         * @return its results
         */
        default <T> Flux<T> withLeaseMany(Duration wait, Function<Lease, ? extends Flux<? extends T>> work) {
            return Flux.usingWhen(acquire(wait), work, Lease::closed);
        }
    }
}
