// SPDX-License-Identifier: Apache-2.0
package dev.interlock.benchmarks;

import dev.interlock.Interlock;
import dev.interlock.embedded.RedisServer;
import dev.interlock.limit.Limit;
import dev.interlock.limit.RateLimiter;
import io.github.bucket4j.BucketConfiguration;
import io.github.bucket4j.distributed.proxy.ProxyManager;
import io.github.bucket4j.redis.lettuce.Bucket4jLettuce;
import io.lettuce.core.ScriptOutputType;
import io.lettuce.core.api.StatefulRedisConnection;
import io.lettuce.core.api.sync.RedisCommands;
import java.time.Duration;
import java.util.List;
import java.util.function.ObjLongConsumer;
import java.util.function.ToLongFunction;
import org.HdrHistogram.Histogram;
import org.redisson.Redisson;
import org.redisson.api.RRateLimiter;
import org.redisson.api.RateType;
import org.redisson.api.RedissonClient;
import org.redisson.config.Config;

/** Memory that Redis needs for a user who has used a whole limit of 100, and of 1,000, by MEMORY USAGE of all its keys. */
final class LimitBytesCase implements Case {
    private static final Duration HOUR = Duration.ofHours(1);
    private static final int USERS = 50;
    private static final long[] LIMITS = {100, 1_000};
    /** As tutorials write it, but with a member of its own for each request. */
    private static final String LOG = """
            local t = redis.call('TIME')
            local now = t[1] * 1000000 + t[2]
            redis.call('ZREMRANGEBYSCORE', KEYS[1], '-inf', now - ARGV[2])
            if redis.call('ZCARD', KEYS[1]) < tonumber(ARGV[1]) then
              redis.call('ZADD', KEYS[1], string.format('%.0f', now), string.format('%.0f', now))
              redis.call('PEXPIRE', KEYS[1], ARGV[2] / 1000)
            end
            return 0
            """;

    private final RedisServer server = RedisServer.start();
    private final RawRedis raw = new RawRedis(server.port(), false);
    private final StatefulRedisConnection<String, String> connection = raw.connectText();
    private final Interlock interlock = Interlock.connect(server.uri());
    private final RedissonClient redisson;
    private final ProxyManager<byte[]> buckets =
            Bucket4jLettuce.casBasedBuilder(raw.connect()).build();

    LimitBytesCase() {
        Config config = new Config();
        config.useSingleServer().setAddress("redis://127.0.0.1:" + server.port());
        redisson = Redisson.create(config);
    }

    @Override
    public String title() {
        return "limiter, bytes of a user whose limit of 100, or of 1000, is used up; keys without those of lanes";
    }

    @Override
    public List<Contender> contenders() {
        return List.of(
                way("raw sliding log", this::rawLog),
                way("Redisson RRateLimiter", this::redisson),
                way("Bucket4j", this::bucket),
                interlock("log", limit -> Limit.slidingWindow(limit, HOUR)),
                interlock("GCRA", limit -> Limit.gcra(limit, HOUR)),
                interlock("k-bucket window", limit -> Limit.slidingCounter(limit, HOUR)),
                interlock("fixed window", limit -> Limit.fixedWindow(limit, HOUR)));
    }

    private void rawLog(String user, long limit) {
        String sha = connection.sync().scriptLoad(LOG);
        // The same name as Interlock's, so that only the states differ.
        String[] keys = {"interlock:limit:{api:" + user + "}:w"};
        for (int i = 0; i < limit; i++) {
            connection.sync().evalsha(sha, ScriptOutputType.INTEGER, keys, String.valueOf(limit), "3600000000");
        }
    }

    private void redisson(String user, long limit) {
        RRateLimiter limiter = redisson.getRateLimiter("api:" + user);
        limiter.trySetRate(RateType.OVERALL, limit, HOUR);
        for (int i = 0; i < limit; i++) {
            limiter.tryAcquire();
        }
    }

    private void bucket(String user, long limit) {
        BucketConfiguration configuration = BucketConfiguration.builder()
                .addLimit(rate -> rate.capacity(limit).refillGreedy(limit, HOUR))
                .build();
        buckets.builder()
                .build(RawRedis.bytes("bucket4j:{api:" + user + "}"), () -> configuration)
                .tryConsume(limit);
    }

    private interface Algorithm {
        Limit of(long limit);
    }

    private Contender interlock(String name, Algorithm algorithm) {
        return way("Interlock " + name, (user, limit) -> {
            RateLimiter limiter = interlock.rateLimiter("api", algorithm.of(limit));
            for (int i = 0; i < limit; i++) {
                limiter.tryAcquire(user);
            }
        });
    }

    private Contender way(String name, ObjLongConsumer<String> use) {
        return new Contender() {
            @Override
            public String name() {
                return name;
            }

            @Override
            public Measurement run(long nanos) {
                long start = System.nanoTime();
                StringBuilder remark = new StringBuilder();
                long calls = 0;
                for (long limit : LIMITS) {
                    connection.sync().flushdb();
                    for (int user = 0; user < USERS; user++) {
                        use.accept("user:" + user, limit);
                    }
                    calls += USERS * limit;
                    remark.append(remark.isEmpty() ? "" : "; ").append(String.format("%,d bytes", bytes() / USERS));
                }
                return new Measurement(calls, System.nanoTime() - start, new Histogram(3), remark.toString());
            }
        };
    }

    private long bytes() {
        RedisCommands<String, String> redis = connection.sync();
        ToLongFunction<String> usage = key -> redis.memoryUsage(key);
        return redis.keys("*user:*").stream()
                .filter(key -> !key.contains(":lane:"))
                .mapToLong(usage)
                .sum();
    }

    @Override
    public int redisPort() {
        return server.port();
    }

    @Override
    public void close() {
        redisson.shutdown();
        interlock.close();
        raw.close();
        server.close();
    }
}
