// SPDX-License-Identifier: Apache-2.0
package dev.interlock.value;

import dev.interlock.internal.Await;
import dev.interlock.internal.Names;
import java.time.Duration;
import java.util.Optional;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;

/** The blocking view: each operation waits for the asynchronous one. */
record BlockingVersioned<T>(VersionedCalls<T> calls) implements Versioned<T> {
    @Override
    public Optional<Snapshot<T>> get() {
        return Await.get("versioned.get", calls::get);
    }

    @Override
    public WriteResult<T> compareAndSet(long expected, @Nullable T next) {
        return Await.get("versioned.compareAndSet", () -> calls.compareAndSet(expected, next));
    }

    @Override
    public WriteResult<T> compareAndSet(long expected, @Nullable T next, Ttl ttl, String requestId) {
        return Await.get("versioned.compareAndSet", () -> calls.compareAndSet(expected, next, ttl, requestId));
    }

    @Override
    public Optional<Snapshot<T>> update(UnaryOperator<@Nullable T> change) {
        return update(change, Ttl.KEEP, AtomicValue.UPDATE_BUDGET);
    }

    @Override
    public Optional<Snapshot<T>> update(UnaryOperator<@Nullable T> change, Ttl ttl, Duration budget) {
        return Await.onCaller("versioned.update", caller -> calls.update(change, ttl, budget, caller));
    }

    @Override
    public Async<T> async() {
        return calls;
    }

    @Override
    public Reactive<T> reactive() {
        return new ReactiveVersioned<>(calls);
    }

    /** The reactive view: each subscription starts the asynchronous operation; arguments are checked before. */
    private record ReactiveVersioned<T>(VersionedCalls<T> calls) implements Reactive<T> {
        @Override
        public Mono<Snapshot<T>> get() {
            return Mono.fromCompletionStage(calls::get).flatMap(Mono::justOrEmpty);
        }

        @Override
        public Mono<WriteResult<T>> compareAndSet(long expected, @Nullable T next) {
            VersionedCalls.Write write = calls.checked(expected, next, Ttl.KEEP, null);
            return Mono.fromCompletionStage(() -> calls.write(write));
        }

        @Override
        public Mono<WriteResult<T>> compareAndSet(long expected, @Nullable T next, Ttl ttl, String requestId) {
            VersionedCalls.Write write = calls.checked(expected, next, ttl, Names.requestId(requestId));
            return Mono.fromCompletionStage(() -> calls.write(write));
        }

        @Override
        public Mono<Snapshot<T>> update(UnaryOperator<@Nullable T> change) {
            return update(change, Ttl.KEEP, AtomicValue.UPDATE_BUDGET);
        }

        @Override
        public Mono<Snapshot<T>> update(UnaryOperator<@Nullable T> change, Ttl ttl, Duration budget) {
            ValueCalls.checked(ttl, budget);
            return Mono.fromCompletionStage(() -> calls.update(change, ttl, budget))
                    .flatMap(Mono::justOrEmpty);
        }
    }
}
