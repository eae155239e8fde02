// SPDX-License-Identifier: Apache-2.0
package dev.interlock.limit;

import static org.assertj.core.api.Assertions.assertThat;

import dev.interlock.Interlock;
import dev.interlock.Topology;
import dev.interlock.embedded.RedisServer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;

/** Waiting for units: in order, spaced, and given back when given up. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class LimiterWaitingIT {
    private static final Duration MINUTE = Duration.ofMinutes(1);
    private static final RateLimiterOptions PATIENT = RateLimiterOptions.DEFAULT.withDeadline(Topology.PATIENCE);

    private RedisServer server;
    private Interlock interlock;

    @BeforeAll
    void start() {
        server = RedisServer.start();
        interlock = Topology.connect(server);
    }

    @AfterAll
    void stop() {
        interlock.close();
        server.close();
    }

    private RateLimiter limiter(Limit limit) {
        return interlock.rateLimiter(Topology.name("wait"), PATIENT, limit);
    }

    @Test
    void anInterruptedWaitGivesItsPlaceBackAndKeepsTheFlag() throws InterruptedException {
        RateLimiter limiter = limiter(Limit.gcra(1, Duration.ofSeconds(30)));
        assertThat(limiter.tryAcquire("u").allowed()).isTrue();
        CompletableFuture<Boolean> flag = new CompletableFuture<>();
        Thread thread = new Thread(() -> {
            try {
                limiter.acquire("u", MINUTE);
            } catch (dev.interlock.OutcomeUnknownException e) {
                flag.complete(Thread.currentThread().isInterrupted());
            }
        });
        thread.start();
        Awaitility.await()
                .atMost(Topology.PATIENCE)
                .until(() -> limiter.peek("u", 1).retryAfter().compareTo(Duration.ofSeconds(31)) > 0);
        thread.interrupt();
        thread.join();
        assertThat(flag.join()).isTrue();
        Awaitility.await()
                .atMost(Topology.PATIENCE)
                .until(() -> limiter.peek("u", 1).retryAfter().compareTo(Duration.ofSeconds(31)) < 0);
    }

    /** Waiters of two JVM-like clients go on in the order in which Redis saw them. */
    @Test
    void waitersGoOnInOrderAndSpacedByTheRate() {
        String name = Topology.name("queue");
        Limit limit = Limit.gcra(100, Duration.ofSeconds(1)).burst(1);
        try (Interlock other = Topology.connect(server)) {
            List<RateLimiter> nodes =
                    List.of(interlock.rateLimiter(name, PATIENT, limit), other.rateLimiter(name, PATIENT, limit));
            List<CompletableFuture<Decision>> waiting = new ArrayList<>();

            for (int i = 0; i < 40; i++) {

                CompletableFuture<Decision> call =
                        nodes.get(i % 2).async().acquire("u", MINUTE).toCompletableFuture();

                waiting.add(call);
                // The order of arrival in Redis is the order of these calls only if each has arrived.
                nodes.get(i % 2).peek("u", 1);
            }
            List<Long> moments = waiting.stream()
                    .map(call -> call.join().receipt().atMicros())
                    .toList();
            assertThat(moments).isSorted().doesNotHaveDuplicates();
            for (int i = 1; i < moments.size(); i++) {
                assertThat(moments.get(i) - moments.get(i - 1)).isGreaterThanOrEqualTo(10_000);
            }
        }
    }

    @Test
    void aCancelledWaitGivesItsPlaceBack() {
        RateLimiter limiter = limiter(Limit.slidingWindow(1, Duration.ofSeconds(30)));
        assertThat(limiter.acquire("u", MINUTE).allowed()).isTrue();
        CompletableFuture<Decision> waiting =
                limiter.async().acquire("u", MINUTE).toCompletableFuture();
        Awaitility.await()
                .atMost(Topology.PATIENCE)
                .until(() -> limiter.peek("u", 1).retryAfter().compareTo(Duration.ofSeconds(31)) > 0);
        waiting.cancel(true);
        Awaitility.await()
                .atMost(Topology.PATIENCE)
                .until(() -> limiter.peek("u", 1).retryAfter().compareTo(Duration.ofSeconds(31)) < 0);
    }
}
