// SPDX-License-Identifier: Apache-2.0
package dev.interlock.lock;

import dev.interlock.internal.Await;
import java.time.Duration;
import java.util.Optional;

/** The blocking view: each operation waits for the asynchronous one. */
record BlockingPermits(PermitCalls calls) implements Permits {
    @Override
    public Lease acquire(Duration wait) throws InterruptedException {
        return tryAcquire(wait).orElseThrow(() -> calls.timeout(wait.toMillis()));
    }

    @Override
    public Optional<Lease> tryAcquire() {
        return Await.uninterruptibly("permits.tryAcquire", () -> calls.ask(0, true));
    }

    @Override
    public Optional<Lease> tryAcquire(Duration wait) throws InterruptedException {
        long millis = LockCalls.millis(wait);
        return Await.interruptibly(
                "permits.acquire", calls.patienceMillis(millis), () -> calls.ask(millis, true), calls.gate()::expire);
    }

    @Override
    public ReleaseResult release(String ownerToken) {
        return Await.uninterruptibly("permits.release", () -> calls.release(ownerToken));
    }

    @Override
    public long held() {
        return Await.uninterruptibly("permits.held", calls::held);
    }

    @Override
    public Async async() {
        return calls;
    }

    @Override
    public Reactive reactive() {
        return new ReactivePermits(calls);
    }
}
