// SPDX-License-Identifier: Apache-2.0
package dev.interlock.idempotency;

import dev.interlock.internal.Await;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;
import reactor.core.publisher.Mono;

/** The blocking view: waits for the asynchronous operation, which does the work on the waiting thread. */
record BlockingIdempotency<T>(IdempotencyCalls<T> calls) implements Idempotency<T> {
    @Override
    public RunResult<T> run(String key, String fingerprint, Supplier<T> work) {
        return Await.onCaller(
                "idempotency.run",
                caller -> calls.run(
                        calls.checked(key, fingerprint), () -> CompletableFuture.completedFuture(work.get()), caller));
    }

    @Override
    public Async<T> async() {
        return calls;
    }

    @Override
    public Reactive<T> reactive() {
        return new ReactiveIdempotency<>(calls);
    }

    /** The reactive view: each subscription starts the asynchronous operation; arguments are checked before. */
    private record ReactiveIdempotency<T>(IdempotencyCalls<T> calls) implements Reactive<T> {
        @Override
        public Mono<RunResult<T>> run(String key, String fingerprint, Supplier<? extends Mono<T>> work) {
            IdempotencyCalls.Claim claim = calls.checked(key, fingerprint);
            return Mono.fromFuture(() -> calls.run(claim, () -> work.get().toFuture(), Runnable::run));
        }
    }
}
