// SPDX-License-Identifier: Apache-2.0
package dev.interlock.lock;

import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;
import reactor.core.publisher.Mono;

/** The reactive view: each subscription starts the asynchronous operation; arguments are checked before. */
record ReactiveLock(LockCalls calls) implements DistributedLock.Reactive {
    @Override
    public Mono<Lease> acquire(Duration wait) {
        long millis = LockCalls.millis(wait);
        return lease(() -> calls.acquire(millis));
    }

    @Override
    public Mono<Lease> tryAcquire() {
        return optional(0);
    }

    @Override
    public Mono<Lease> tryAcquire(Duration wait) {
        return optional(LockCalls.millis(wait));
    }

    private Mono<Lease> optional(long millis) {
        return new Handing<Optional<Lease>>(found -> found.ifPresent(Lease::releaseOnce))
                .mono(() -> calls.ask(millis, false))
                .flatMap(Mono::justOrEmpty)
                .doOnDiscard(Lease.class, Lease::releaseOnce);
    }

    private static Mono<Lease> lease(Supplier<CompletableFuture<Lease>> start) {
        return new Handing<>(Lease::releaseOnce).mono(start);
    }

    @Override
    public Mono<ReleaseResult> release(String ownerToken) {
        String token = LockCalls.token(ownerToken);
        return Mono.fromFuture(() -> calls.release(token), true);
    }

    @Override
    public Mono<Boolean> forceRelease() {
        return Mono.fromFuture(calls::forceRelease, true);
    }

    @Override
    public Mono<LockOwner> owner() {
        return Mono.fromFuture(calls::owner, true).flatMap(Mono::justOrEmpty);
    }
}
