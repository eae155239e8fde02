// SPDX-License-Identifier: Apache-2.0
package dev.interlock.lock;

import dev.interlock.internal.Await;
import java.time.Duration;
import java.util.Optional;
import reactor.core.publisher.Mono;

/** The blocking view: each operation waits for the asynchronous one. */
record BlockingMultiLock(MultiCalls calls) implements MultiLock {
    @Override
    public MultiLease acquire(Duration wait) throws InterruptedException {
        return tryAcquire(wait).orElseThrow(() -> calls.timeout(wait.toMillis()));
    }

    @Override
    public Optional<MultiLease> tryAcquire() {
        return Await.uninterruptibly("multiLock.tryAcquire", calls::tryAcquire);
    }

    @Override
    public Optional<MultiLease> tryAcquire(Duration wait) throws InterruptedException {
        long millis = LockCalls.millis(wait);
        // Each of its steps ends by the end of the wait.
        return Await.interruptibly("multiLock.acquire", Long.MAX_VALUE, () -> calls.ask(millis), asked -> {});
    }

    @Override
    public Async async() {
        return calls;
    }

    @Override
    public MultiLock.Reactive reactive() {
        return new BlockingMultiLock.Reactive(calls);
    }

    /** The reactive view: each subscription starts the asynchronous operation; arguments are checked before. */
    record Reactive(MultiCalls calls) implements MultiLock.Reactive {
        @Override
        public Mono<MultiLease> acquire(Duration wait) {
            long millis = LockCalls.millis(wait);
            return new Handing<>(MultiLease::releaseAsync).mono(() -> calls.acquire(millis));
        }

        @Override
        public Mono<MultiLease> tryAcquire() {
            return ask(0);
        }

        @Override
        public Mono<MultiLease> tryAcquire(Duration wait) {
            return ask(LockCalls.millis(wait));
        }

        private Mono<MultiLease> ask(long millis) {
            return new Handing<Optional<MultiLease>>(found -> found.ifPresent(MultiLease::releaseAsync))
                    .mono(() -> calls.ask(millis))
                    .flatMap(Mono::justOrEmpty)
                    .doOnDiscard(MultiLease.class, MultiLease::releaseAsync);
        }
    }
}
