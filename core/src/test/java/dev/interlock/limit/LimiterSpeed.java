// SPDX-License-Identifier: Apache-2.0
package dev.interlock.limit;

import dev.interlock.Interlock;
import dev.interlock.embedded.RedisServer;
import io.lettuce.core.RedisClient;
import io.lettuce.core.ScriptOutputType;
import io.lettuce.core.api.StatefulRedisConnection;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.IntFunction;

/** Decisions per second, beside single calls of a short GCRA script in the same run. Started by hand. */
final class LimiterSpeed {
    private static final int KEYS = 10_000;
    private static final String RAW = """
            #!lua
            local v = redis.call('GET', KEYS[1])
            local t = redis.call('TIME')
            local now = t[1] * 1000000 + t[2]
            local tat = math.max(v and tonumber(v) or 0, now) + tonumber(ARGV[1])
            if tat - now > tonumber(ARGV[2]) then
              return {0, tat - now}
            end
            redis.call('SET', KEYS[1], string.format('%.0f', tat), 'PX', math.floor((tat - now) / 1000) + 2)
            return {1, tat - now}
            """;

    private LimiterSpeed() {}

    /** Takes the seconds of one measurement and how many rounds. */
    public static void main(String[] args) throws InterruptedException {
        double seconds = Double.parseDouble(args[0]);
        int rounds = Integer.parseInt(args[1]);
        try (RedisServer server = RedisServer.start();
                Interlock interlock = Interlock.builder()
                        .uri(server.uri())
                        .commandTimeout(Duration.ofSeconds(10))
                        .build()) {
            RateLimiterOptions options = RateLimiterOptions.DEFAULT.withDeadline(Duration.ofSeconds(10));
            RateLimiter large =
                    interlock.rateLimiter("large", options, Limit.gcra(100_000_000_000L, Duration.ofSeconds(1)));
            RateLimiter small = interlock.rateLimiter("small", options, Limit.gcra(10, Duration.ofHours(1)));
            RedisClient client = RedisClient.create(server.uri());
            StatefulRedisConnection<String, String> raw = client.connect();
            String sha = raw.sync().scriptLoad(RAW);
            IntFunction<CompletionStage<?>> rawCall = i ->
                    raw.async().evalsha(sha, ScriptOutputType.MULTI, new String[] {"gcra:user:" + i}, "10", "1000000");
            for (int round = 0; round < rounds; round++) {
                print("raw, hot, 64 threads", threads(seconds, i -> rawCall.apply(0)));
                print("hot, 64 threads", threads(seconds, i -> large.async().tryAcquire("hot")));
                print("raw, hot, 1000 in flight", inFlight(seconds, i -> rawCall.apply(0)));
                print(
                        "hot, 1000 in flight",
                        inFlight(seconds, i -> large.async().tryAcquire("hot")));
                print("denied, 2 threads", denied(seconds, small));
                print("raw, 10000 keys, 1000 in flight", inFlight(seconds, rawCall));
                print(
                        "10000 keys, 1000 in flight",
                        inFlight(seconds, i -> large.async().tryAcquire("user:" + i)));
                print("raw, 10000 keys, 64 threads", threads(seconds, rawCall));
                print(
                        "10000 keys, 64 threads",
                        threads(seconds, i -> large.async().tryAcquire("user:" + i)));
            }
            raw.sync()
                    .info("commandstats")
                    .lines()
                    .filter(line -> line.contains("evalsha"))
                    .forEach(System.out::println);
            client.shutdown();
        }
    }

    private static void print(String what, String result) {
        System.out.printf("%-34s %s%n", what, result);
    }

    private static String inFlight(double seconds, IntFunction<CompletionStage<?>> call) throws InterruptedException {
        Semaphore free = new Semaphore(1000);
        LongAdder done = new LongAdder();
        long start = System.nanoTime();
        long end = start + (long) (seconds * 1e9);
        int next = 0;
        while (System.nanoTime() < end) {
            for (int i = 0; i < 100; i++) {
                free.acquire();
                next = (next + 7919) % KEYS;
                call.apply(next).whenComplete((decision, error) -> {
                    done.increment();
                    free.release();
                });
            }
        }
        free.acquire(1000);
        return rate(done.sum(), start, new long[0]);
    }

    private static String threads(double seconds, IntFunction<CompletionStage<?>> call) throws InterruptedException {
        LongAdder done = new LongAdder();
        long start = System.nanoTime();
        long end = start + (long) (seconds * 1e9);
        List<Thread> threads = new ArrayList<>();
        List<long[]> times = new ArrayList<>();
        for (int t = 0; t < 64; t++) {
            int seed = t * 131;
            long[] mine = new long[200_000];
            times.add(mine);
            Thread thread = new Thread(() -> {
                int next = seed;
                for (int i = 0; System.nanoTime() < end; i++) {
                    long before = System.nanoTime();
                    next = (next + 7919) % KEYS;
                    call.apply(next).toCompletableFuture().join();
                    mine[i % mine.length] = System.nanoTime() - before;
                    done.increment();
                }
            });
            threads.add(thread);
            thread.start();
        }
        for (Thread thread : threads) {
            thread.join();
        }
        return rate(
                done.sum(),
                start,
                times.stream()
                        .flatMapToLong(Arrays::stream)
                        .filter(t -> t > 0)
                        .sorted()
                        .toArray());
    }

    private static String denied(double seconds, RateLimiter limiter) throws InterruptedException {
        LongAdder done = new LongAdder();
        long start = System.nanoTime();
        long end = start + (long) (seconds * 1e9);
        List<Thread> threads = new ArrayList<>();
        for (int t = 0; t < 2; t++) {
            threads.add(new Thread(() -> {
                while (System.nanoTime() < end) {
                    for (int i = 0; i < 1000; i++) {
                        limiter.tryAcquire("hot");
                    }
                    done.add(1000);
                }
            }));
        }
        threads.forEach(Thread::start);
        for (Thread thread : threads) {
            thread.join();
        }
        return rate(done.sum(), start, new long[0]);
    }

    private static String rate(long done, long start, long[] sorted) {
        double rate = done / ((System.nanoTime() - start) / 1e9);
        return String.format("%,12.0f/s", rate)
                + (sorted.length == 0
                        ? ""
                        : String.format(
                                "  p50 %.2f ms  p99 %.2f ms",
                                sorted[sorted.length / 2] / 1e6, sorted[sorted.length * 99 / 100] / 1e6));
    }
}
