// SPDX-License-Identifier: Apache-2.0
package dev.interlock.benchmarks;

import dev.interlock.Interlock;
import dev.interlock.limit.Decision;
import dev.interlock.limit.Limit;
import dev.interlock.limit.RateLimiter;
import dev.interlock.limit.RateLimiterOptions;
import java.time.Duration;
import java.util.concurrent.CompletionStage;

/** Interlock's limiter, asked as any user asks; a decision that is not one of the limits fails the run. */
final class LimitInterlockWay implements LimitWay {
    private static final RateLimiterOptions OPTIONS = RateLimiterOptions.DEFAULT.withDeadline(Duration.ofSeconds(10));

    private final Interlock interlock;
    private final RateLimiter[] limiters;
    private final String[] keys;

    LimitInterlockWay(int port, Users users) {
        interlock = Interlock.builder().uri("redis://127.0.0.1:" + port).build();
        RateLimiter plenty = interlock.rateLimiter("api", OPTIONS, Limit.gcra(Users.PLENTY, Duration.ofSeconds(1)));
        RateLimiter scarce = interlock.rateLimiter("rare", OPTIONS, Limit.gcra(1, Duration.ofDays(1)));
        limiters = new RateLimiter[users.count()];
        keys = new String[users.count()];
        for (int user = 0; user < users.count(); user++) {
            limiters[user] = users.scarce().test(user) ? scarce : plenty;
            keys[user] = Users.key(user);
        }
    }

    @Override
    public String name() {
        return "Interlock";
    }

    @Override
    public boolean take(int user) {
        return allowed(limiters[user].tryAcquire(keys[user]));
    }

    @Override
    public CompletionStage<Boolean> takeAsync(int user) {
        return limiters[user].async().tryAcquire(keys[user]).thenApply(LimitInterlockWay::allowed);
    }

    private static boolean allowed(Decision decision) {
        if (decision.origin() == Decision.Origin.OUTAGE_POLICY) {
            throw new IllegalStateException("Redis did not answer: " + decision);
        }
        return decision.allowed();
    }

    @Override
    public void close() {
        interlock.close();
    }
}
