// SPDX-License-Identifier: Apache-2.0
package dev.interlock.lock;

import dev.interlock.internal.Await;
import java.time.Duration;
import java.util.Optional;

/** The blocking view: each operation waits for the asynchronous one. */
record BlockingQuorum(QuorumCalls calls) implements QuorumLock {
    @Override
    public QuorumLease acquire(Duration wait) throws InterruptedException {
        return tryAcquire(wait).orElseThrow(() -> calls.timeout(wait.toMillis()));
    }

    @Override
    public Optional<QuorumLease> tryAcquire() {
        return Await.uninterruptibly("quorumLock.tryAcquire", calls::tryAcquire);
    }

    @Override
    public Optional<QuorumLease> tryAcquire(Duration wait) throws InterruptedException {
        long millis = LockCalls.millis(wait);
        // The attempt under way at the end of the wait ends by the time-outs of its nodes.
        return Await.interruptibly("quorumLock.acquire", Long.MAX_VALUE, () -> calls.ask(millis), asked -> {});
    }

    @Override
    public Async async() {
        return calls;
    }

    @Override
    public Reactive reactive() {
        return new ReactiveQuorum(calls);
    }
}
