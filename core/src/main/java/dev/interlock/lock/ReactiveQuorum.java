// SPDX-License-Identifier: Apache-2.0
package dev.interlock.lock;

import java.time.Duration;
import java.util.Optional;
import reactor.core.publisher.Mono;

/** The reactive view: each subscription starts the asynchronous operation; arguments are checked before. */
record ReactiveQuorum(QuorumCalls calls) implements QuorumLock.Reactive {
    @Override
    public Mono<QuorumLease> acquire(Duration wait) {
        long millis = LockCalls.millis(wait);
        return ask(millis).switchIfEmpty(Mono.error(() -> calls.timeout(millis)));
    }

    @Override
    public Mono<QuorumLease> tryAcquire() {
        return ask(0);
    }

    @Override
    public Mono<QuorumLease> tryAcquire(Duration wait) {
        return ask(LockCalls.millis(wait));
    }

    private Mono<QuorumLease> ask(long millis) {
        return new Handing<Optional<QuorumLease>>(found -> found.ifPresent(QuorumLease::releaseAsync))
                .mono(() -> calls.ask(millis))
                .flatMap(Mono::justOrEmpty)
                .doOnDiscard(QuorumLease.class, QuorumLease::releaseAsync);
    }
}
