// SPDX-License-Identifier: Apache-2.0
package dev.interlock.lock;

import dev.interlock.internal.Await;
import java.time.Duration;
import java.util.Optional;

/** The blocking view: each operation waits for the asynchronous one. */
record BlockingLock(LockCalls calls) implements DistributedLock {
    @Override
    public Lease acquire(Duration wait) throws InterruptedException {
        return tryAcquire(wait).orElseThrow(() -> calls.timeout(wait.toMillis()));
    }

    @Override
    public Optional<Lease> tryAcquire() {
        return Await.uninterruptibly("lock.tryAcquire", () -> calls.ask(0, true));
    }

    @Override
    public Optional<Lease> tryAcquire(Duration wait) throws InterruptedException {
        long millis = LockCalls.millis(wait);
        return Await.interruptibly(
                "lock.acquire", calls.patienceMillis(millis), () -> calls.ask(millis, true), calls::expire);
    }

    @Override
    public ReleaseResult release(String ownerToken) {
        return Await.uninterruptibly("lock.release", () -> calls.release(ownerToken));
    }

    @Override
    public boolean forceRelease() {
        return Await.uninterruptibly("lock.forceRelease", calls::forceRelease);
    }

    @Override
    public Optional<LockOwner> owner() {
        return Await.uninterruptibly("lock.owner", calls::owner);
    }

    @Override
    public Async async() {
        return calls;
    }

    @Override
    public Reactive reactive() {
        return new ReactiveLock(calls);
    }
}
