// SPDX-License-Identifier: Apache-2.0
package dev.interlock.limit;

import java.time.Duration;
import reactor.core.publisher.Mono;

/** The reactive view: each subscription starts the asynchronous operation; arguments are checked before. */
record ReactiveRateLimiter(LimiterCalls calls) implements RateLimiter.Reactive {
    @Override
    public Mono<Decision> tryAcquire(String key) {
        return tryAcquire(key, 1);
    }

    @Override
    public Mono<Decision> tryAcquire(String key, long weight) {
        Request.check(key, weight);
        return Mono.fromCompletionStage(() -> calls.tryAcquire(key, weight));
    }

    @Override
    public Mono<Decision> acquire(String key, Duration maxWait) {
        Request.check(key, 1);
        Request.patience(maxWait);
        return Mono.fromCompletionStage(() -> calls.acquire(key, maxWait));
    }

    @Override
    public Mono<Decision> peek(String key, long weight) {
        Request.check(key, weight);
        return Mono.fromCompletionStage(() -> calls.peek(key, weight));
    }

    @Override
    public Mono<Boolean> refund(Decision decision) {
        calls.checkRefund(decision);
        return Mono.fromCompletionStage(() -> calls.refund(decision));
    }

    @Override
    public Mono<Void> reset(String key) {
        Request.check(key, 1);
        return Mono.fromCompletionStage(() -> calls.reset(key));
    }
}
