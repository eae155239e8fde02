// SPDX-License-Identifier: Apache-2.0
package dev.interlock.value;

import dev.interlock.Codec;
import dev.interlock.internal.Engine;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletionStage;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;

/**
 * One value with a version that never comes back: a write succeeds only if nobody has written, deleted or re-created the value
 * since the version was read, even if the value looks the same again. It owns its keys; other programs must not write them.
 *
 * <p>Each write and each deletion gives the larger of the last version + 1 and the time of Redis in microseconds. The last
 * version is remembered for {@value VersionedCalls#FLOOR_HOURS} hours after the value has been deleted or has expired. So
 * versions grow without exception until then; after that, or if Redis loses its data, they grow unless its clock is set back
 * behind the last write. Versions are no counters: they have gaps.
 *
 * <p>Guarantees otherwise, cost, request ids and exceptions are those of {@link AtomicValue}. Thread-safe; nothing to close.
 *
 * @param <T> type of the value
 */
public interface Versioned<T> {
    /** The version of a value that does not exist. */
    long ABSENT = 0;

    /**
     * A value as it was at one moment.
     *
     * @param value the value
     * @param version its version, 1 to 2^53
     */
    record Snapshot<T>(T value, long version) {}

    /**
     * Reads the value.
     *
     * @return the value and its version, or empty if there is none
     */
    Optional<Snapshot<T>> get();

    /**
     * As {@link #compareAndSet(long, Object, Ttl, String)}, with {@link Ttl#KEEP} and a request id of its own: Interlock
     * repeats the call by itself after a lost reply, but the caller cannot.
     *
     * @param expected the version that was read, or {@link #ABSENT} if there must be no value
     * @param next what the value becomes, or null to delete it
     * @return written, or why not
     * @throws IllegalArgumentException before anything is sent, if an argument breaks a rule
     */
    WriteResult<T> compareAndSet(long expected, @Nullable T next);

    /**
     * Writes the value if it still has the expected version.
     *
     * @param expected the version that was read, 1 to 2^53, or {@link #ABSENT} if there must be no value
     * @param next what the value becomes, or null to delete it
     * @param ttl what becomes of the time it has left
     * @param requestId which request, 1 to 128 bytes of UTF-8; use the same one to ask again after a lost answer
     * @return written, now or by an earlier call of this request; or why not
     * @throws IllegalArgumentException before anything is sent, if an argument breaks a rule; also for {@link #ABSENT} and null
     * @throws dev.interlock.RequestConflictException if the request id was used for another write of this value
     */
    WriteResult<T> compareAndSet(long expected, @Nullable T next, Ttl ttl, String requestId);

    /**
     * As {@link AtomicValue#update(UnaryOperator)}.
     *
     * @param change computes the new value from the current one
     * @return the new value and its version, or empty if the function gave null
     */
    Optional<Snapshot<T>> update(UnaryOperator<@Nullable T> change);

    /**
     * As {@link AtomicValue#update(UnaryOperator, Ttl, Duration)}.
     *
     * @param change computes the new value from the current one
     * @param ttl what becomes of the time it has left
     * @param budget longest time to go on trying, 1 ms to 1 hour
     * @return the new value and its version, or empty if the function gave null
     */
    Optional<Snapshot<T>> update(UnaryOperator<@Nullable T> change, Ttl ttl, Duration budget);

    /**
     * The same operations without waiting.
     *
     * @return the asynchronous view
     */
    Async<T> async();

    /**
     * The same operations for Reactor; nothing is sent before subscription.
     *
     * @return the reactive view
     */
    Reactive<T> reactive();

    /**
     * Made by {@link dev.interlock.Interlock#versioned(String, Codec)}.
     *
     * @param engine runtime resources
     * @param name checked name
     * @param codec for its values
     * @param <T> type of the value
     * @return the value
     */
    static <T> Versioned<T> create(Engine engine, String name, Codec<T> codec) {
        return new BlockingVersioned<>(new VersionedCalls<>(engine, name, codec));
    }

    /**
     * As {@link Versioned}; stages complete on I/O threads, so what depends on them must not block.
     *
     * @param <T> type of the value
     */
    interface Async<T> {
        /** As {@link Versioned#get()}. */
        CompletionStage<Optional<Snapshot<T>>> get();

        /** As {@link Versioned#compareAndSet(long, Object)}. */
        CompletionStage<WriteResult<T>> compareAndSet(long expected, @Nullable T next);

        /** As {@link Versioned#compareAndSet(long, Object, Ttl, String)}. */
        CompletionStage<WriteResult<T>> compareAndSet(long expected, @Nullable T next, Ttl ttl, String requestId);

        /** As {@link Versioned#update(UnaryOperator)}. */
        CompletionStage<Optional<Snapshot<T>>> update(UnaryOperator<@Nullable T> change);

        /** As {@link Versioned#update(UnaryOperator, Ttl, Duration)}; no further try begins once it is cancelled. */
        CompletionStage<Optional<Snapshot<T>>> update(UnaryOperator<@Nullable T> change, Ttl ttl, Duration budget);
    }

    /**
     * As {@link Versioned}; each subscription is one call.
     *
     * @param <T> type of the value
     */
    interface Reactive<T> {
        /** As {@link Versioned#get()}; empty if there is no value. */
        Mono<Snapshot<T>> get();

        /** As {@link Versioned#compareAndSet(long, Object)}. */
        Mono<WriteResult<T>> compareAndSet(long expected, @Nullable T next);

        /** As {@link Versioned#compareAndSet(long, Object, Ttl, String)}. */
        Mono<WriteResult<T>> compareAndSet(long expected, @Nullable T next, Ttl ttl, String requestId);

        /** As {@link Versioned#update(UnaryOperator)}; empty if the value was deleted. */
        Mono<Snapshot<T>> update(UnaryOperator<@Nullable T> change);

        /** As {@link Versioned#update(UnaryOperator, Ttl, Duration)}; empty if the value was deleted. */
        Mono<Snapshot<T>> update(UnaryOperator<@Nullable T> change, Ttl ttl, Duration budget);
    }
}
