// SPDX-License-Identifier: Apache-2.0
package dev.interlock.pool;

import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletionStage;
import reactor.core.publisher.Mono;

/**
 * Units of a pool that are set aside for a while, for example until they are paid for.
 *
 * <p>Guarantees: held units count as the user's and are nobody else's until the deadline, by the clock of Redis; after it
 * they are back before anyone is told "sold out"; each hold is made, confirmed and cancelled at most once, however often it
 * is asked for, as long as it lives and for 24 hours after it ended; every change is an event in the outbox. Does not
 * guarantee the moment at which an expired hold is noticed while nobody asks for units and the JVM that made it is gone.
 *
 * <p>Thread-safe; nothing to close. Cost O(limit per user) a call. All methods throw
 * {@link dev.interlock.NotExecutedException} (surely nothing happened), {@link dev.interlock.OutcomeUnknownException} (ask
 * again with the same request or hold id) or {@link dev.interlock.CorruptStateException} (nothing happened).
 */
public interface Holds {
    /**
     * Holds units for a user, all or none. The checks come in this order: this request, this user, opening times, units
     * left.
     *
     * @param userId who, 1 to 512 bytes of UTF-8
     * @param quantity units, 1 to 100
     * @param ttl how long, 1 ms to 7 days
     * @param requestId which request, 1 to 128 bytes of UTF-8; the same one again gets the same hold
     * @return held, or why not
     * @throws IllegalArgumentException before anything is sent, if an argument breaks a rule
     * @throws dev.interlock.RequestConflictException if this request asked for another quantity before; nothing changed
     */
    HoldResult hold(String userId, long quantity, Duration ttl, String requestId);

    /**
     * Issues the units of a hold. Of a hold that has expired, as many are taken again, if there are.
     *
     * @param holdId its id
     * @return confirmed, or why not
     * @throws IllegalArgumentException before anything is sent, if it is not the id of a hold
     */
    ConfirmResult confirm(String holdId);

    /**
     * Gives the units of a hold back. Works also while Redis is out of memory.
     *
     * @param holdId its id
     * @return cancelled, or why not
     * @throws IllegalArgumentException before anything is sent, if it is not the id of a hold
     */
    CancelResult cancel(String holdId);

    /**
     * Looks a hold up.
     *
     * @param holdId its id
     * @return the hold; empty if there is none, or if it ended more than 24 hours ago
     * @throws IllegalArgumentException before anything is sent, if it is not the id of a hold
     */
    Optional<Hold> find(String holdId);

    /**
     * Ends holds whose deadline has passed. Not needed: it is done before units are refused, and by the JVM that made the
     * hold.
     *
     * @param max most holds in this call, 1 to 1,000; Redis is busy for about 10 µs for each
     * @return how many ended
     * @throws IllegalArgumentException before anything is sent, if the number lies outside
     */
    int sweep(int max);

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

    /** As {@link Holds}; stages complete on I/O threads, so what depends on them must not block. */
    interface Async {
        /** As {@link Holds#hold(String, long, Duration, String)}. */
        CompletionStage<HoldResult> hold(String userId, long quantity, Duration ttl, String requestId);

        /** As {@link Holds#confirm(String)}. */
        CompletionStage<ConfirmResult> confirm(String holdId);

        /** As {@link Holds#cancel(String)}. */
        CompletionStage<CancelResult> cancel(String holdId);

        /** As {@link Holds#find(String)}. */
        CompletionStage<Optional<Hold>> find(String holdId);

        /** As {@link Holds#sweep(int)}. */
        CompletionStage<Integer> sweep(int max);
    }

    /** As {@link Holds}; each subscription is one call. */
    interface Reactive {
        /** As {@link Holds#hold(String, long, Duration, String)}. */
        Mono<HoldResult> hold(String userId, long quantity, Duration ttl, String requestId);

        /** As {@link Holds#confirm(String)}. */
        Mono<ConfirmResult> confirm(String holdId);

        /** As {@link Holds#cancel(String)}. */
        Mono<CancelResult> cancel(String holdId);

        /** As {@link Holds#find(String)}; empty if there is none. */
        Mono<Hold> find(String holdId);

        /** As {@link Holds#sweep(int)}. */
        Mono<Integer> sweep(int max);
    }
}
