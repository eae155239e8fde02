// SPDX-License-Identifier: Apache-2.0
package dev.interlock.lock;

import java.time.Duration;
import java.util.Optional;
import reactor.core.publisher.Mono;

/** The reactive view: each subscription starts the asynchronous operation; arguments are checked before. */
record ReactivePermits(PermitCalls calls) implements Permits.Reactive {
    @Override
    public Mono<Lease> acquire(Duration wait) {
        long millis = LockCalls.millis(wait);
        return new Handing<>(Lease::releaseOnce).mono(() -> calls.acquire(millis));
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
