// SPDX-License-Identifier: Apache-2.0
package dev.interlock.benchmarks;

import dev.interlock.Interlock;
import dev.interlock.embedded.RedisServer;
import dev.interlock.pool.Pool;
import dev.interlock.pool.PoolConfig;
import io.lettuce.core.ScriptOutputType;
import io.lettuce.core.api.StatefulRedisConnection;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicLong;

/** Every request gets a unit, with outbox, sequence and request id: one call each, or combined. */
final class IssueCase implements Case {
    private static final int THREADS = 64;
    private static final int IN_FLIGHT = 1_000;
    private static final AtomicLong POOLS = new AtomicLong();

    private final boolean async;
    private final RedisServer server = RedisServer.start();
    private final RawRedis plain = new RawRedis(server.port(), false);
    private final RawRedis consolidated = new RawRedis(server.port(), true);
    private final Interlock interlock = Interlock.builder()
            .uri(server.uri())
            .commandTimeout(Duration.ofSeconds(30))
            .build();
    private final String sha;

    IssueCase(boolean async) {
        this.async = async;
        sha = plain.connect().sync().scriptLoad(RawRedis.bytes(RawRedis.issueScript()));
    }

    @Override
    public String title() {
        return async
                ? "issue, every request succeeds, asynchronous, " + IN_FLIGHT + " in flight"
                : "issue, every request succeeds, " + THREADS + " blocking threads";
    }

    @Override
    public List<Contender> contenders() {
        return async
                ? List.of(
                        single("single EVALSHA, pipelined, flush consolidation", consolidated),
                        single("single EVALSHA, pipelined", plain),
                        combined())
                : List.of(single("single EVALSHA", plain), combined());
    }

    /** A pool of its own for each trial, so that none pays for another's users. */
    private String newPool() {
        String name = "bench" + POOLS.incrementAndGet();
        interlock.pool(name).create(PoolConfig.of(1_000_000_000));
        return name;
    }

    private Contender single(String name, RawRedis redis) {
        StatefulRedisConnection<byte[], byte[]> connection = redis.connect();
        return new Contender() {
            @Override
            public String name() {
                return name;
            }

            @Override
            public Measurement run(long nanos) throws Exception {
                byte[][] keys = RawRedis.poolKeys(newPool());
                if (async) {
                    return Driver.async(IN_FLIGHT, nanos, number -> issue(keys, number));
                }
                return Driver.blocking(
                        THREADS,
                        nanos,
                        number -> issue(keys, number).toCompletableFuture().join());
            }

            private CompletionStage<List<Object>> issue(byte[][] keys, long number) {
                byte[] zero = RawRedis.bytes("0");
                byte[] user = RawRedis.bytes("user" + number);
                byte[] request = RawRedis.bytes("request" + number);
                return connection.async().evalsha(sha, ScriptOutputType.MULTI, keys, zero, zero, user, request);
            }
        };
    }

    private Contender combined() {
        return new Contender() {
            @Override
            public String name() {
                return "Interlock";
            }

            @Override
            public Measurement run(long nanos) throws Exception {
                Pool pool = interlock.pool(newPool());
                if (async) {
                    return Driver.async(
                            IN_FLIGHT, nanos, number -> pool.async().issue("user" + number, "request" + number));
                }
                return Driver.blocking(THREADS, nanos, number -> pool.issue("user" + number, "request" + number));
            }
        };
    }

    @Override
    public int redisPort() {
        return server.port();
    }

    @Override
    public void close() {
        interlock.close();
        plain.close();
        consolidated.close();
        server.close();
    }
}
