// SPDX-License-Identifier: Apache-2.0
package dev.interlock.pool;

import java.time.Instant;
import java.util.Optional;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;

/**
 * What the keeper of a pool does with it, as opposed to its users. Each change is an event in the outbox, written by the
 * script that makes it.
 *
 * <p>Thread-safe; nothing to close. Cost O(1) a call. All methods throw {@link dev.interlock.NotExecutedException} (surely
 * nothing happened), {@link dev.interlock.OutcomeUnknownException} (look at the state before doing it again; a restock may
 * simply be asked for again) or {@link dev.interlock.CorruptStateException} (nothing happened).
 */
public interface PoolControl {
    /**
     * Adds units, once for each request id, however long ago it was used. Nodes that answer "sold out" by themselves stop
     * it within a second, as a rule at once.
     *
     * @param quantity units, 1 to 1,000,000
     * @param requestId which request, 1 to 128 bytes of UTF-8
     * @return restocked, or why not
     * @throws IllegalArgumentException before anything is sent, if an argument breaks a rule
     * @throws dev.interlock.RequestConflictException if this request added another quantity before; nothing changed
     */
    RestockResult restock(long quantity, String requestId);

    /**
     * Changes the number of units left after a difference was found.
     *
     * @param adjustment by how much, why, and what it is based on
     * @return adjusted, or why not
     */
    AdjustResult adjust(Adjustment adjustment);

    /**
     * Takes one unit back from a user, once: a repetition is {@link AdjustResult.Outdated}. A unit that is only held is
     * given back by {@link Holds#cancel(String)}.
     *
     * @param userId whose
     * @param sequence number of the event that issued the unit
     * @param reason why, 1 to 256 bytes of UTF-8
     * @return adjusted, or why not
     * @throws IllegalArgumentException before anything is sent, if an argument breaks a rule
     */
    AdjustResult revoke(String userId, long sequence, String reason);

    /**
     * Changes when the pool is open, by the clock of Redis. A pool is closed at once by a moment that has passed.
     *
     * @param opensAt first moment, or null for at once
     * @param closesAt first moment after, or null for never; after {@code opensAt}
     * @return changed, or why not
     * @throws IllegalArgumentException before anything is sent, if the pool would close before it opens, or a moment lies
     *     outside 1970 to 9999
     */
    ScheduleResult schedule(@Nullable Instant opensAt, @Nullable Instant closesAt);

    /**
     * Deletes the pool. It must have closed, its holds have ended and its events be recorded, or trimmed by who keeps no
     * record. The deletion is the last event of its epoch. The name may be used again with a higher epoch.
     *
     * @param epoch life of the pool that is meant, so that a late call cannot delete its successor
     * @return dropped, or why not
     * @throws IllegalArgumentException before anything is sent, if the epoch lies outside 1 to 10^12
     */
    DropResult drop(long epoch);

    /**
     * Reads what the pool was created with, and the times at which it is open now.
     *
     * @return the settings; the total is that of the creation. Empty if there is no such pool
     */
    Optional<PoolConfig> settings();

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

    /** As {@link PoolControl}; stages complete on I/O threads, so what depends on them must not block. */
    interface Async {
        /** As {@link PoolControl#restock(long, String)}. */
        CompletionStage<RestockResult> restock(long quantity, String requestId);

        /** As {@link PoolControl#adjust(Adjustment)}. */
        CompletionStage<AdjustResult> adjust(Adjustment adjustment);

        /** As {@link PoolControl#revoke(String, long, String)}. */
        CompletionStage<AdjustResult> revoke(String userId, long sequence, String reason);

        /** As {@link PoolControl#schedule(Instant, Instant)}. */
        CompletionStage<ScheduleResult> schedule(@Nullable Instant opensAt, @Nullable Instant closesAt);

        /** As {@link PoolControl#drop(long)}. */
        CompletionStage<DropResult> drop(long epoch);

        /** As {@link PoolControl#settings()}. */
        CompletionStage<Optional<PoolConfig>> settings();
    }

    /** As {@link PoolControl}; each subscription is one call. */
    interface Reactive {
        /** As {@link PoolControl#restock(long, String)}. */
        Mono<RestockResult> restock(long quantity, String requestId);

        /** As {@link PoolControl#adjust(Adjustment)}. */
        Mono<AdjustResult> adjust(Adjustment adjustment);

        /** As {@link PoolControl#revoke(String, long, String)}. */
        Mono<AdjustResult> revoke(String userId, long sequence, String reason);

        /** As {@link PoolControl#schedule(Instant, Instant)}. */
        Mono<ScheduleResult> schedule(@Nullable Instant opensAt, @Nullable Instant closesAt);

        /** As {@link PoolControl#drop(long)}. */
        Mono<DropResult> drop(long epoch);

        /** As {@link PoolControl#settings()}; empty if there is no such pool. */
        Mono<PoolConfig> settings();
    }
}
