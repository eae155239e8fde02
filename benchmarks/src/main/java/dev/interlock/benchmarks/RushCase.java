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
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicLong;

/** A million requests of a million users for ten thousand units, from the first to the last decision. */
final class RushCase implements Case {
    private static final int REQUESTS = 1_000_000;
    private static final int COUPONS = 10_000;
    private static final int THREADS = 64;
    private static final int IN_FLIGHT = 1_000;
    private static final AtomicLong POOLS = new AtomicLong();

    private final RedisServer server = RedisServer.start();
    private final RawRedis plain = new RawRedis(server.port(), false);
    private final RawRedis consolidated = new RawRedis(server.port(), true);
    private final Interlock interlock = Interlock.builder()
            .uri(server.uri())
            .commandTimeout(Duration.ofSeconds(30))
            .build();
    private final String sha = plain.connect().sync().scriptLoad(RawRedis.bytes(RawRedis.issueScript()));

    @Override
    public String title() {
        return "rush: 1,000,000 requests for 10,000 units in one JVM";
    }

    @Override
    public List<Contender> contenders() {
        return List.of(blocking(), pipelined(), combined());
    }

    private String newPool() {
        String name = "rush" + POOLS.incrementAndGet();
        interlock.pool(name).create(PoolConfig.of(COUPONS));
        return name;
    }

    private String leftOf(String pool) {
        return "left " + interlock.pool(pool).state().orElseThrow().available();
    }

    private Contender blocking() {
        StatefulRedisConnection<byte[], byte[]> connection = plain.connect();
        return contender("single EVALSHA, " + THREADS + " blocking threads", pool -> {
            byte[][] keys = RawRedis.poolKeys(pool);
            byte[] zero = RawRedis.bytes("0");
            AtomicLong next = new AtomicLong();
            Driver.together(
                    THREADS,
                    () -> {
                        for (long i = next.incrementAndGet(); i <= REQUESTS; i = next.incrementAndGet()) {
                            byte[] user = RawRedis.bytes("u" + i);
                            connection.sync().evalsha(sha, ScriptOutputType.MULTI, keys, zero, zero, user, user);
                        }
                        return Driver.histogram();
                    },
                    0);
        });
    }

    private Contender pipelined() {
        StatefulRedisConnection<byte[], byte[]> connection = consolidated.connect();
        return contender("single EVALSHA, pipelined, flush consolidation", pool -> {
            byte[][] keys = RawRedis.poolKeys(pool);
            byte[] zero = RawRedis.bytes("0");
            Semaphore window = new Semaphore(IN_FLIGHT);
            for (int i = 0; i < REQUESTS; i++) {
                window.acquire();
                byte[] user = RawRedis.bytes("u" + i);
                connection
                        .async()
                        .evalsha(sha, ScriptOutputType.MULTI, keys, zero, zero, user, user)
                        .whenComplete((reply, error) -> window.release());
            }
            window.acquire(IN_FLIGHT);
        });
    }

    private Contender combined() {
        return contender("Interlock", name -> {
            Pool.Async pool = interlock.pool(name).async();
            Semaphore window = new Semaphore(IN_FLIGHT);
            for (int i = 0; i < REQUESTS; i++) {
                window.acquire();
                String user = "u" + i;
                pool.issue(user, user).whenComplete((result, error) -> window.release());
            }
            window.acquire(IN_FLIGHT);
        });
    }

    /** The whole job once, whatever time it takes. */
    private interface Job {
        void run(String pool) throws Exception;
    }

    private Contender contender(String name, Job job) {
        return new Contender() {
            @Override
            public String name() {
                return name;
            }

            @Override
            public Measurement run(long nanos) throws Exception {
                String pool = newPool();
                long start = System.nanoTime();
                job.run(pool);
                long took = System.nanoTime() - start;
                return new Measurement(REQUESTS, took, Driver.histogram(), leftOf(pool));
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
