// SPDX-License-Identifier: Apache-2.0
package dev.interlock.limit;

import java.time.Duration;
import java.util.concurrent.CompletionStage;

/** Ways to call the same operation. */
enum LimiterView {
    BLOCKING,
    ASYNC,
    REACTIVE;

    Decision tryAcquire(RateLimiter limiter, String key, long weight) {
        return switch (this) {
            case BLOCKING -> limiter.tryAcquire(key, weight);
            case ASYNC -> join(limiter.async().tryAcquire(key, weight));
            case REACTIVE -> limiter.reactive().tryAcquire(key, weight).block();
        };
    }

    Decision tryAcquire(RateLimiter limiter, String key) {
        return switch (this) {
            case BLOCKING -> limiter.tryAcquire(key);
            case ASYNC -> join(limiter.async().tryAcquire(key));
            case REACTIVE -> limiter.reactive().tryAcquire(key).block();
        };
    }

    Decision acquire(RateLimiter limiter, String key, Duration maxWait) {
        return switch (this) {
            case BLOCKING -> limiter.acquire(key, maxWait);
            case ASYNC -> join(limiter.async().acquire(key, maxWait));
            case REACTIVE -> limiter.reactive().acquire(key, maxWait).block();
        };
    }

    Decision peek(RateLimiter limiter, String key, long weight) {
        return switch (this) {
            case BLOCKING -> limiter.peek(key, weight);
            case ASYNC -> join(limiter.async().peek(key, weight));
            case REACTIVE -> limiter.reactive().peek(key, weight).block();
        };
    }

    boolean refund(RateLimiter limiter, Decision decision) {
        return switch (this) {
            case BLOCKING -> limiter.refund(decision);
            case ASYNC -> join(limiter.async().refund(decision));
            case REACTIVE ->
                Boolean.TRUE.equals(limiter.reactive().refund(decision).block());
        };
    }

    void reset(RateLimiter limiter, String key) {
        switch (this) {
            case BLOCKING -> limiter.reset(key);
            case ASYNC -> join(limiter.async().reset(key));
            case REACTIVE -> limiter.reactive().reset(key).block();
        }
    }

    private static <T> T join(CompletionStage<T> stage) {
        return stage.toCompletableFuture().join();
    }
}
