// SPDX-License-Identifier: Apache-2.0
package dev.interlock.value;

import dev.interlock.internal.Await;
import java.time.Duration;
import java.util.Optional;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;

/** The blocking view: each operation waits for the asynchronous one. */
record BlockingValue<T>(ValueCalls<T> calls) implements AtomicValue<T> {
    @Override
    public Optional<T> get() {
        return Await.get("value.get", calls::get);
    }

    @Override
    public CasResult<T> compareAndSet(@Nullable T expected, @Nullable T next) {
        return compareAndSet(expected, next, Ttl.KEEP);
    }

    @Override
    public CasResult<T> compareAndSet(@Nullable T expected, @Nullable T next, Ttl ttl) {
        return Await.get("value.compareAndSet", () -> calls.compareAndSet(expected, next, ttl));
    }

    @Override
    public CasResult<T> compareAndSet(@Nullable T expected, @Nullable T next, Ttl ttl, String requestId) {
        return Await.get("value.compareAndSet", () -> calls.compareAndSet(expected, next, ttl, requestId));
    }

    @Override
    public @Nullable T update(UnaryOperator<@Nullable T> change) {
        return update(change, Ttl.KEEP, UPDATE_BUDGET);
    }

    @Override
    public @Nullable T update(UnaryOperator<@Nullable T> change, Ttl ttl, Duration budget) {
        return Await.onCaller("value.update", caller -> calls.update(change, ttl, budget, caller));
    }

    @Override
    public Async<T> async() {
        return calls;
    }

    @Override
    public Reactive<T> reactive() {
        return new ReactiveValue<>(calls);
    }

    /** The reactive view: each subscription starts the asynchronous operation; arguments are checked before. */
    private record ReactiveValue<T>(ValueCalls<T> calls) implements Reactive<T> {
        @Override
        public Mono<T> get() {
            return Mono.fromCompletionStage(calls::get).flatMap(Mono::justOrEmpty);
        }

        @Override
        public Mono<CasResult<T>> compareAndSet(@Nullable T expected, @Nullable T next) {
            return compareAndSet(expected, next, Ttl.KEEP);
        }

        @Override
        public Mono<CasResult<T>> compareAndSet(@Nullable T expected, @Nullable T next, Ttl ttl) {
            ValueCalls.Swap swap = calls.checked(expected, next, ttl);
            return Mono.fromCompletionStage(() -> calls.swap(swap));
        }

        @Override
        public Mono<CasResult<T>> compareAndSet(@Nullable T expected, @Nullable T next, Ttl ttl, String requestId) {
            ValueCalls.Swap swap = calls.checked(expected, next, ttl, requestId);
            return Mono.fromCompletionStage(() -> calls.swap(swap));
        }

        @Override
        public Mono<T> update(UnaryOperator<@Nullable T> change) {
            return update(change, Ttl.KEEP, UPDATE_BUDGET);
        }

        @Override
        public Mono<T> update(UnaryOperator<@Nullable T> change, Ttl ttl, Duration budget) {
            ValueCalls.checked(ttl, budget);
            return Mono.fromCompletionStage(() -> calls.update(change, ttl, budget));
        }
    }
}
