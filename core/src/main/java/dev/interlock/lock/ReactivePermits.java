// SPDX-License-Identifier: Apache-2.0
package dev.interlock.lock;

import java.time.Duration;
import reactor.core.publisher.Mono;

/** The reactive view: each subscription starts the asynchronous operation; arguments are checked before. */
record ReactivePermits(PermitCalls calls) implements Permits.Reactive {
    @Override
    public Mono<Lease> acquire(Duration wait) {
        long millis = LockCalls.millis(wait);
        return LeaseMono.of(() -> calls.acquire(millis));
    }

    @Override
    public Mono<Lease> tryAcquire() {
        return LeaseMono.ofOptional(calls::tryAcquire);
    }

    @Override
    public Mono<Lease> tryAcquire(Duration wait) {
        long millis = LockCalls.millis(wait);
        return LeaseMono.ofOptional(() -> calls.ask(millis, false));
    }

    @Override
    public Mono<ReleaseResult> release(String ownerToken) {
        String token = LockCalls.token(ownerToken);
        return Mono.fromFuture(() -> calls.release(token), true);
    }

    @Override
    public Mono<Long> held() {
        return Mono.fromFuture(calls::held, true);
    }
}
