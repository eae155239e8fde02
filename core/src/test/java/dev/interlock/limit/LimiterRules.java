// SPDX-License-Identifier: Apache-2.0
package dev.interlock.limit;

import dev.interlock.Topology;
import io.lettuce.core.RedisClient;
import io.lettuce.core.api.sync.RedisCommands;
import io.lettuce.core.codec.ByteArrayCodec;
import java.time.Duration;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.TestInstance;

/** A server for a class of tests of rules, with clocks that stand still. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
abstract class LimiterRules {
    static final Duration SECOND = Duration.ofSeconds(1);
    static final long MICROS = 1_000_000;

    FrozenLimiters frozen;
    RedisCommands<byte[], byte[]> redis;
    private RedisClient client;

    @BeforeAll
    void start() {
        frozen = new FrozenLimiters(Topology.STANDALONE);
        client = RedisClient.create(frozen.server.alone().uri());
        redis = client.connect(ByteArrayCodec.INSTANCE).sync();
    }

    @AfterAll
    void stop() {
        client.shutdown();
        frozen.close();
    }

    static Stream<Limit> limitsOfFive() {
        return Stream.of(
                Limit.slidingWindow(5, SECOND),
                Limit.gcra(5, SECOND),
                Limit.slidingCounter(5, SECOND),
                Limit.fixedWindow(5, SECOND));
    }

    RateLimiter limiter(Limit... limits) {
        return frozen.limiter(Topology.name("rule"), limits);
    }

    /** To the beginning of a second, so that aligned windows have a known place. */
    long alignedStart() {
        return frozen.micros.updateAndGet(now -> (now / MICROS + 2) * MICROS);
    }

    static int allowedOf(int calls, RateLimiter limiter, String key) {
        int allowed = 0;
        for (int i = 0; i < calls; i++) {
            allowed += limiter.tryAcquire(key).allowed() ? 1 : 0;
        }
        return allowed;
    }
}
