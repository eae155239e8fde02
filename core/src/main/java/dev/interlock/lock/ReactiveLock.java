// SPDX-License-Identifier: Apache-2.0
package dev.interlock.lock;

import java.time.Duration;
import reactor.core.publisher.Mono;

/** The reactive view: each subscription starts the asynchronous operation; arguments are checked before. */
record ReactiveLock(LockCalls calls) implements DistributedLock.Reactive {
    @Override
    public Mono<Lease> acquire(Duration wait) {
        long millis = LockCalls.millis(wait);
        return LeaseMono.of(() -> calls.acquire(millis));
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
        return LeaseMono.ofOptional(() -> calls.ask(millis, false));
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
