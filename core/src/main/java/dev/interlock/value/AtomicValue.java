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
 * One value in one Redis string that changes only if it is what the caller believes it to be. The string holds the bytes of
 * the value and nothing else, so other programs may read and write it; values are compared byte for byte. Null stands for
 * "there is no value", in both places.
 *
 * <p>Guarantees: operations are linearizable while Redis keeps what it acknowledged; a swap takes effect at most once for each
 * request id, also after a lost reply, as long as the id is remembered: {@value Requests#MEMORY_MINUTES} minutes and
 * {@value Requests#CAPACITY} later swaps of this value, whichever ends first. Does not guarantee that the value was the
 * expected one all the time since it was read: it may have been another in between; nor that a swap which was refused after
 * a lost reply stays without effect if the expected value comes back while the first attempt is still on its way. Use
 * {@link Versioned} where that matters.
 *
 * <p>Thread-safe; nothing to close. Every operation is one script call, O(size of the value); {@code update} is two or more. A
 * value has at most {@value ValueCalls#MAX_BYTES} bytes. All methods throw {@link dev.interlock.NotExecutedException} (surely
 * nothing happened), {@link dev.interlock.OutcomeUnknownException} (ask again with the same request id) or
 * {@link dev.interlock.CorruptStateException} (the key holds another type, or bytes that the codec cannot read; it is
 * unchanged).
 *
 * @param <T> type of the value
 */
public interface AtomicValue<T> {
    /** Longest time of {@link #update(UnaryOperator)}. */
    Duration UPDATE_BUDGET = Duration.ofSeconds(10);

    /**
     * Reads the value.
     *
     * @return the value, or empty if there is none
     */
    Optional<T> get();

    /**
     * As {@link #compareAndSet(Object, Object, Ttl)}, with {@link Ttl#KEEP}.
     *
     * @param expected what the value must be, or null if there must be none
     * @param next what it becomes, or null to delete it
     * @return success, or why not
     * @throws IllegalArgumentException before anything is sent, if both are null or one is too long
     */
    CasResult<T> compareAndSet(@Nullable T expected, @Nullable T next);

    /**
     * As {@link #compareAndSet(Object, Object, Ttl, String)}, with a request id of its own: Interlock repeats the call by
     * itself after a lost reply, but the caller cannot.
     *
     * @param expected what the value must be, or null if there must be none
     * @param next what it becomes, or null to delete it
     * @param ttl what becomes of the time it has left
     * @return success, or why not
     * @throws IllegalArgumentException before anything is sent, if both are null or one is too long
     */
    CasResult<T> compareAndSet(@Nullable T expected, @Nullable T next, Ttl ttl);

    /**
     * Swaps the value if it is the expected one. With no value expected this creates it; without a new one it deletes it; with
     * both the same it succeeds if the value is that, and only the time left may change.
     *
     * @param expected what the value must be, or null if there must be none
     * @param next what it becomes, or null to delete it
     * @param ttl what becomes of the time it has left
     * @param requestId which request, 1 to 128 bytes of UTF-8; use the same one to ask again after a lost answer
     * @return success, now or by an earlier call of this request; or why not
     * @throws IllegalArgumentException before anything is sent, if both are null, or an argument breaks a rule
     * @throws dev.interlock.RequestConflictException if the request id was used for another swap of this value
     */
    CasResult<T> compareAndSet(@Nullable T expected, @Nullable T next, Ttl ttl, String requestId);

    /**
     * As {@link #update(UnaryOperator, Ttl, Duration)}, with {@link Ttl#KEEP} and {@link #UPDATE_BUDGET}.
     *
     * @param change computes the new value from the current one
     * @return the new value
     */
    @Nullable
    T update(UnaryOperator<@Nullable T> change);

    /**
     * Computes a new value from the current one and swaps it in; if another was faster, computes again from what that left,
     * after a pause of random and growing length. So no change is lost, and the function may run several times: it must have
     * no effect of its own. It runs on the calling thread here, and on an I/O thread in the other views, where it must not
     * block. What it throws reaches the caller, and nothing changed.
     *
     * @param change gets the value, or null if there is none; gives the new one, or null to delete it
     * @param ttl what becomes of the time it has left
     * @param budget longest time to go on trying, 1 ms to 1 hour; the last try may take the command time-out beyond it
     * @return what the function gave last, which is the value now
     * @throws IllegalArgumentException before anything is sent, if the budget lies outside; or if the new value is too long
     * @throws dev.interlock.NotExecutedException also if others were faster until the budget was spent
     */
    @Nullable
    T update(UnaryOperator<@Nullable T> change, Ttl ttl, Duration budget);

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
     * Made by {@link dev.interlock.Interlock#value(String)}.
     *
     * @param engine runtime resources
     * @param name checked name
     * @param codec for its values
     * @param <T> type of the value
     * @return the value
     */
    static <T> AtomicValue<T> create(Engine engine, String name, Codec<T> codec) {
        return new BlockingValue<>(new ValueCalls<>(engine, name, codec));
    }

    /**
     * As {@link AtomicValue}; stages complete on I/O threads, so what depends on them must not block.
     *
     * @param <T> type of the value
     */
    interface Async<T> {
        /** As {@link AtomicValue#get()}. */
        CompletionStage<Optional<T>> get();

        /** As {@link AtomicValue#compareAndSet(Object, Object)}. */
        CompletionStage<CasResult<T>> compareAndSet(@Nullable T expected, @Nullable T next);

        /** As {@link AtomicValue#compareAndSet(Object, Object, Ttl)}. */
        CompletionStage<CasResult<T>> compareAndSet(@Nullable T expected, @Nullable T next, Ttl ttl);

        /** As {@link AtomicValue#compareAndSet(Object, Object, Ttl, String)}. */
        CompletionStage<CasResult<T>> compareAndSet(@Nullable T expected, @Nullable T next, Ttl ttl, String requestId);

        /** As {@link AtomicValue#update(UnaryOperator)}. */
        CompletionStage<@Nullable T> update(UnaryOperator<@Nullable T> change);

        /** As {@link AtomicValue#update(UnaryOperator, Ttl, Duration)}; no further try begins once it is cancelled. */
        CompletionStage<@Nullable T> update(UnaryOperator<@Nullable T> change, Ttl ttl, Duration budget);
    }

    /**
     * As {@link AtomicValue}; each subscription is one call.
     *
     * @param <T> type of the value
     */
    interface Reactive<T> {
        /** As {@link AtomicValue#get()}; empty if there is no value. */
        Mono<T> get();

        /** As {@link AtomicValue#compareAndSet(Object, Object)}. */
        Mono<CasResult<T>> compareAndSet(@Nullable T expected, @Nullable T next);

        /** As {@link AtomicValue#compareAndSet(Object, Object, Ttl)}. */
        Mono<CasResult<T>> compareAndSet(@Nullable T expected, @Nullable T next, Ttl ttl);

        /** As {@link AtomicValue#compareAndSet(Object, Object, Ttl, String)}. */
        Mono<CasResult<T>> compareAndSet(@Nullable T expected, @Nullable T next, Ttl ttl, String requestId);

        /** As {@link AtomicValue#update(UnaryOperator)}; empty if the value was deleted. */
        Mono<T> update(UnaryOperator<@Nullable T> change);

        /** As {@link AtomicValue#update(UnaryOperator, Ttl, Duration)}; empty if the value was deleted. */
        Mono<T> update(UnaryOperator<@Nullable T> change, Ttl ttl, Duration budget);
    }
}
