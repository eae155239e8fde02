// SPDX-License-Identifier: Apache-2.0
package dev.interlock.limit;

import static org.assertj.core.api.Assertions.assertThat;

import dev.interlock.Interlock;
import dev.interlock.InterlockListener;
import dev.interlock.Topology;
import dev.interlock.embedded.RedisServer;
import io.lettuce.core.RedisClient;
import io.lettuce.core.ScanArgs;
import io.lettuce.core.ScanIterator;
import io.lettuce.core.api.sync.RedisCommands;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.BrokenBarrierException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;

/** Rules 6 and 11 with many keys, many threads and many slots. */
class LimiterScaleIT {
    private static final RateLimiterOptions PATIENT = RateLimiterOptions.DEFAULT.withDeadline(Topology.PATIENCE);
    private static final int ROUNDS = 10;
    private static final Pattern KEYSPACE = Pattern.compile("keys=(\\d+),expires=(\\d+)");

    /** Rule 6: all keys have a time to live at any moment, and after it nothing is left of them. */
    @Test
    void aMillionOneTimeKeysLeaveNothing() throws InterruptedException {
        int names = 1_000_000;
        int inFlight = 4_000;
        try (RedisServer server = RedisServer.start();
                Interlock interlock = Interlock.connect(server.uri())) {
            RedisClient client = RedisClient.create(server.uri());
            RedisCommands<String, String> redis = client.connect().sync();
            RateLimiter limiter = interlock.rateLimiter("once", PATIENT, Limit.gcra(1_000, Duration.ofSeconds(1)));
            Semaphore window = new Semaphore(inFlight);
            AtomicInteger wrong = new AtomicInteger();
            long most = 0;
            for (int i = 0; i < names; i++) {
                window.acquire();
                limiter.async().tryAcquire("name" + i).whenComplete((decision, error) -> {
                    boolean right = error == null && decision.allowed() && decision.remaining() == 999;
                    wrong.addAndGet(right ? 0 : 1);
                    window.release();
                });
                if (i % 50_000 == 0) {
                    most = Math.max(most, keysOfWhichAllExpire(redis));
                }
            }
            window.acquire(inFlight);
            assertThat(wrong).hasValue(0);
            // Some keys were seen, so it was looked at the right place.
            assertThat(most).isGreaterThan(TakeLanes.LANES);
            Awaitility.await().atMost(Topology.PATIENCE).until(() -> {
                // Looking at keys whose time is over removes them; Redis by itself leaves some for later.
                ScanIterator.scan(redis, ScanArgs.Builder.limit(1_000)).forEachRemaining(key -> {});
                return keysOfWhichAllExpire(redis) <= TakeLanes.LANES;
            });
            client.shutdown();
        }
    }

    private static long keysOfWhichAllExpire(RedisCommands<String, String> redis) {
        Matcher matcher = KEYSPACE.matcher(redis.info("keyspace"));
        if (!matcher.find()) {
            return 0;
        }
        assertThat(matcher.group(2)).as("keys with a time to live").isEqualTo(matcher.group(1));
        return Long.parseLong(matcher.group(1));
    }

    /**
     * R10: less than one round trip a decision, and nobody waits much longer than the others. Waits are counted in the
     * decisions that others get meanwhile, each time. In time p99 must be within 5 × p50 in one round of a few: the machine
     * stops threads as it likes, and a stop of 1 % of a round is in its p99, but an unfair limiter is unfair in every round.
     */
    @Test
    void manyThreadsOnOneKeyAreServedEvenlyWithFewerCallsThanDecisions() throws InterruptedException {
        int threads = 256;
        int each = 50;
        AtomicInteger calls = new AtomicInteger();
        InterlockListener counting = new InterlockListener() {
            @Override
            public void scriptCompleted(String script, Outcome outcome, long nanos) {
                calls.incrementAndGet();
            }
        };
        try (RedisServer server = RedisServer.start();
                Interlock interlock =
                        Interlock.builder().uri(server.uri()).listener(counting).build()) {
            RateLimiter limiter =
                    interlock.rateLimiter("even", PATIENT, Limit.gcra(1_000_000_000L, Duration.ofSeconds(1)));
            boolean evenInTime = false;
            for (int round = 1; round <= ROUNDS && !evenInTime; round++) {
                Waits waits = waits(limiter, threads, each);
                assertThat(calls.getAndSet(0)).isLessThan(threads * each / 2);
                assertThat(waits.decisions(99)).isLessThan(2 * threads).isLessThanOrEqualTo(5 * waits.decisions(50));
                assertThat(waits.decisions(100)).isLessThan(3 * threads);
                evenInTime = waits.nanos(99) <= 5 * waits.nanos(50);
            }
            assertThat(evenInTime).as("p99 within 5 × p50 in a round").isTrue();
        }
    }

    /** Sorted: how many others were answered between question and answer, and how long it took. */
    private record Waits(int[] decisions, long[] nanos) {
        Waits {
            Arrays.sort(decisions);
            Arrays.sort(nanos);
        }

        int decisions(int percent) {
            return decisions[(decisions.length - 1) * percent / 100];
        }

        long nanos(int percent) {
            return nanos[(int) ((nanos.length - 1L) * percent / 100)];
        }
    }

    private static Waits waits(RateLimiter limiter, int threads, int each) throws InterruptedException {
        int[] waits = new int[threads * each];
        long[] nanos = new long[threads * each];
        AtomicInteger answered = new AtomicInteger();
        CyclicBarrier together = new CyclicBarrier(threads);
        List<Thread> running = new ArrayList<>();
        for (int t = 0; t < threads; t++) {
            int first = t * each;
            Thread thread = new Thread(() -> {
                await(together);
                for (int i = first; i < first + each; i++) {
                    int place = i;
                    long start = System.nanoTime();
                    CompletionStage<Decision> asked = limiter.async().tryAcquire("hot");
                    int before = answered.get();
                    asked.thenAccept(decision -> waits[place] = answered.incrementAndGet() - before)
                            .toCompletableFuture()
                            .join();
                    nanos[place] = System.nanoTime() - start;
                }
            });
            running.add(thread);
            thread.start();
        }
        for (Thread thread : running) {
            thread.join();
        }
        Waits all = new Waits(waits, nanos);
        System.out.printf(
                "waits of %d threads in decisions: p50 %d, p99 %d, most %d; in µs: p50 %d, p99 %d%n",
                threads,
                all.decisions(50),
                all.decisions(99),
                all.decisions(100),
                all.nanos(50) / 1000,
                all.nanos(99) / 1000);
        return all;
    }

    private static void await(CyclicBarrier barrier) {
        try {
            barrier.await();
        } catch (InterruptedException | BrokenBarrierException e) {
            throw new IllegalStateException(e);
        }
    }

    /** Rule 11: in a cluster each slot has lanes of its own, but only while it is used. */
    @Test
    void lanesOfSlotsThatNobodyUsesAreDropped() {
        try (FrozenLimiters frozen = new FrozenLimiters(Topology.CLUSTER)) {
            BlockingRateLimiter limiter =
                    (BlockingRateLimiter) frozen.limiter("slots", Limit.gcra(10, Duration.ofSeconds(1)));
            for (int user = 0; user < 200; user++) {
                assertThat(limiter.tryAcquire("u" + user).allowed()).isTrue();
            }
            assertThat(limiter.calls().slots()).isGreaterThan(150);
            frozen.micros.addAndGet(Duration.ofSeconds(11).toNanos() / 1_000);
            limiter.tryAcquire("u0");
            for (int user = 200; user < 210; user++) {
                assertThat(limiter.tryAcquire("u" + user).allowed()).isTrue();
            }
            assertThat(limiter.calls().slots()).isLessThan(20);
            assertThat(limiter.tryAcquire("u7").remaining()).isEqualTo(9);
        }
    }
}
