// SPDX-License-Identifier: Apache-2.0
package dev.interlock.limit;

import dev.interlock.internal.Await;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/** The blocking view: each operation waits for the asynchronous one. */
record BlockingRateLimiter(LimiterCalls calls) implements RateLimiter {
    @Override
    public Decision tryAcquire(String key) {
        return Await.get("limiter.tryAcquire", () -> calls.tryAcquire(key));
    }

    @Override
    public Decision tryAcquire(String key, long weight) {
        return Await.get("limiter.tryAcquire", () -> calls.tryAcquire(key, weight));
    }

    @Override
    public Decision acquire(String key, Duration maxWait) {
        CompletableFuture<Decision> waiting = calls.acquire(key, maxWait).toCompletableFuture();
        try {
            return Await.get("limiter.acquire", () -> waiting);
        } finally {
            // Only an interrupted wait is not over yet.
            waiting.cancel(false);
        }
    }

    @Override
    public Decision peek(String key, long weight) {
        return Await.get("limiter.peek", () -> calls.peek(key, weight));
    }

    @Override
    public boolean refund(Decision decision) {
        return Await.get("limiter.refund", () -> calls.refund(decision));
    }

    @Override
    public void reset(String key) {
        Await.<@Nullable Void>get("limiter.reset", () -> calls.reset(key));
    }

    @Override
    public Async async() {
        return calls;
    }

    @Override
    public Reactive reactive() {
        return new ReactiveRateLimiter(calls);
    }
}
