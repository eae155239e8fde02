// SPDX-License-Identifier: Apache-2.0
package dev.interlock.benchmarks;

import java.time.Duration;
import java.util.concurrent.CompletionStage;
import org.redisson.Redisson;
import org.redisson.api.RRateLimiter;
import org.redisson.api.RateType;
import org.redisson.api.RedissonClient;
import org.redisson.config.Config;

/** Redisson's RRateLimiter with its defaults. */
final class LimitRedissonWay implements LimitWay {
    private final RedissonClient client;
    private final RRateLimiter[] limiters;

    LimitRedissonWay(int port, Users users) {
        Config config = new Config();
        config.useSingleServer().setAddress("redis://127.0.0.1:" + port);
        client = Redisson.create(config);
        limiters = new RRateLimiter[users.count()];
        for (int user = 0; user < users.count(); user++) {
            boolean scarce = users.scarce().test(user);
            limiters[user] = client.getRateLimiter("redisson:" + Users.key(user));
            limiters[user].trySetRate(
                    RateType.OVERALL, scarce ? 1 : Users.PLENTY, scarce ? Duration.ofDays(1) : Duration.ofSeconds(1));
        }
    }

    @Override
    public String name() {
        return "Redisson RRateLimiter";
    }

    @Override
    public boolean take(int user) {
        return limiters[user].tryAcquire();
    }

    @Override
    public CompletionStage<Boolean> takeAsync(int user) {
        return limiters[user].tryAcquireAsync();
    }

    @Override
    public void close() {
        client.shutdown();
    }
}
