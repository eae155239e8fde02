// SPDX-License-Identifier: Apache-2.0
package dev.interlock.spring.annotation;

import dev.interlock.limit.Decision;
import dev.interlock.limit.RateLimiter;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/**
 * Runs a method within a limit.
 *
 * @param limiter the limiter
 * @param name of the limiter
 * @param template of the key
 * @param cost units that a call takes
 */
record LimitGuard(RateLimiter limiter, String name, NameTemplate template, long cost) implements Guard {
    @Override
    public @Nullable Object blocking(GuardedCall call) throws Throwable {
        Decision decision = limiter.tryAcquire(template.resolve(call.arguments()), cost);
        if (!decision.allowed()) {
            throw new RateLimitedException(name, decision);
        }
        return call.proceed();
    }

    @Override
    public Mono<Object> one(GuardedCall call) {
        return allowed(call).then(call.one());
    }

    @Override
    public Flux<Object> many(GuardedCall call) {
        return allowed(call).thenMany(call.many());
    }

    private Mono<Void> allowed(GuardedCall call) {
        return limiter.reactive()
                .tryAcquire(template.resolve(call.arguments()), cost)
                .doOnNext(decision -> {
                    if (!decision.allowed()) {
                        throw new RateLimitedException(name, decision);
                    }
                })
                .then();
    }
}
