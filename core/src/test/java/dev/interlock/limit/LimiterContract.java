// SPDX-License-Identifier: Apache-2.0
package dev.interlock.limit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.interlock.CorruptStateException;
import dev.interlock.Deployment;
import dev.interlock.Interlock;
import dev.interlock.InterlockListener;
import dev.interlock.Topology;
import dev.interlock.limit.Decision.Origin;
import io.lettuce.core.cluster.api.sync.RedisClusterCommands;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** What every limiter promises, in all three views; the subclasses say on which topology. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
abstract class LimiterContract {
    private static final Duration MINUTE = Duration.ofMinutes(1);
    private static final RateLimiterOptions PATIENT = RateLimiterOptions.DEFAULT.withDeadline(Topology.PATIENCE);

    private final Topology topology;
    private final AtomicLong takes = new AtomicLong();
    private Deployment server;
    private Interlock interlock;
    private RedisClusterCommands<String, String> redis;

    LimiterContract(Topology topology) {
        this.topology = topology;
    }

    @BeforeAll
    void start() {
        server = topology.start();
        InterlockListener counting = new InterlockListener() {
            @Override
            public void scriptCompleted(String script, Outcome outcome, long nanos) {
                takes.addAndGet(script.startsWith("limit/take") ? 1 : 0);
            }
        };
        interlock = Interlock.builder()
                .uri(server.uris())
                .commandTimeout(Topology.PATIENCE)
                .listener(counting)
                .build();
        redis = server.redis();
    }

    @AfterAll
    void stop() {
        interlock.close();
        server.close();
    }

    private RateLimiter limiter(Limit... limits) {
        return interlock.rateLimiter(Topology.name("api"), PATIENT, limits);
    }

    @ParameterizedTest
    @EnumSource(LimiterView.class)
    void takesAllThatIsAllowedAndNoMore(LimiterView view) {
        RateLimiter limiter = limiter(Limit.slidingWindow(3, MINUTE), Limit.gcra(5, MINUTE));
        assertThat(view.tryAcquire(limiter, "u").remaining()).isEqualTo(2);
        Decision second = view.tryAcquire(limiter, "u", 2);
        assertThat(second.allowed()).isTrue();
        assertThat(second.remaining()).isZero();
        assertThat(second.retryAfter()).isZero();
        Decision denied = view.tryAcquire(limiter, "u");
        assertThat(denied.allowed()).isFalse();
        assertThat(denied.violated()).containsExactly(Limit.slidingWindow(3, MINUTE));
        assertThat(denied.limit()).isEqualTo(Limit.slidingWindow(3, MINUTE));
        assertThat(denied.retryAfter()).isBetween(Duration.ofSeconds(40), MINUTE);
        assertThat(denied.origin()).isEqualTo(Origin.REDIS);
        assertThat(view.tryAcquire(limiter, "other").allowed()).isTrue();
    }

    @ParameterizedTest
    @EnumSource(LimiterView.class)
    void peekingTakesNothing(LimiterView view) {
        RateLimiter limiter = limiter(Limit.fixedWindow(2, Duration.ofDays(300)));
        assertThat(view.peek(limiter, "u", 1).remaining()).isEqualTo(2);
        assertThat(view.peek(limiter, "u", 2).allowed()).isTrue();
        assertThat(view.peek(limiter, "u", 3).retryAfter()).isEqualTo(Decision.NEVER);
        assertThat(view.tryAcquire(limiter, "u", 2).allowed()).isTrue();
        assertThat(view.peek(limiter, "u", 1).allowed()).isFalse();
    }

    @ParameterizedTest
    @EnumSource(LimiterView.class)
    void aRefundGivesBackOnceAndEndsTheDenialThatThisNodeKnew(LimiterView view) {
        RateLimiter limiter = limiter(Limit.slidingCounter(1, MINUTE));
        Decision taken = view.tryAcquire(limiter, "u");
        assertThat(view.tryAcquire(limiter, "u").origin()).isEqualTo(Origin.REDIS);
        assertThat(view.tryAcquire(limiter, "u").origin()).isEqualTo(Origin.DENIAL_CACHE);
        assertThat(view.refund(limiter, taken)).isTrue();
        assertThat(view.refund(limiter, taken)).isFalse();
        assertThatIllegalArgumentException().isThrownBy(() -> view.refund(limiter(Limit.gcra(1, MINUTE)), taken));
        assertThat(view.tryAcquire(limiter, "u").allowed()).isTrue();
        assertThat(view.tryAcquire(limiter, "u").allowed()).isFalse();
    }

    @ParameterizedTest
    @EnumSource(LimiterView.class)
    void aResetForgetsWhatWasUsedAndTheDenialThatThisNodeKnew(LimiterView view) {
        RateLimiter limiter = limiter(Limit.gcra(1, MINUTE), Limit.slidingWindow(1, MINUTE));
        for (int i = 0; i < 3; i++) {
            assertThat(view.tryAcquire(limiter, "u").allowed()).isTrue();
            assertThat(view.tryAcquire(limiter, "u").allowed()).isFalse();
            assertThat(view.tryAcquire(limiter, "u").origin()).isEqualTo(Origin.DENIAL_CACHE);
            view.reset(limiter, "u");
        }
    }

    @ParameterizedTest
    @EnumSource(LimiterView.class)
    void acquiringWaitsOrIsDeniedAtOnceIfItCannotBeInTime(LimiterView view) {
        RateLimiter limiter = limiter(Limit.gcra(10, Duration.ofSeconds(1)).burst(1));
        long start = System.nanoTime();
        for (int i = 0; i < 4; i++) {
            assertThat(view.acquire(limiter, "u", Duration.ofSeconds(20)).allowed())
                    .isTrue();
        }
        assertThat(Duration.ofNanos(System.nanoTime() - start)).isGreaterThanOrEqualTo(Duration.ofMillis(300));
        limiter.async().acquire("v", MINUTE);
        limiter.async().acquire("v", MINUTE);
        Decision denied = view.acquire(limiter, "v", Duration.ofMillis(1));
        assertThat(denied.allowed()).isFalse();
        assertThat(denied.retryAfter()).isPositive();
        assertThat(view.acquire(limiter, "w", Duration.ZERO).allowed()).isTrue();
    }

    @ParameterizedTest
    @EnumSource(LimiterView.class)
    void badArgumentsAreRefusedBeforeAnythingIsSent(LimiterView view) {
        RateLimiter limiter = limiter(Limit.gcra(5, MINUTE));
        long before = takes.get();
        for (String bad : new String[] {"", " a", "a\n", "a\u0000b", "\uD800", "x".repeat(513), "a\u202Eb", null}) {
            assertThatIllegalArgumentException().isThrownBy(() -> view.tryAcquire(limiter, bad, 1));
            assertThatIllegalArgumentException().isThrownBy(() -> view.peek(limiter, bad, 1));
            assertThatIllegalArgumentException().isThrownBy(() -> view.acquire(limiter, bad, MINUTE));
            assertThatIllegalArgumentException().isThrownBy(() -> view.reset(limiter, bad));
        }
        for (long bad : new long[] {0, -1, Long.MIN_VALUE, Long.MAX_VALUE}) {
            assertThatIllegalArgumentException().isThrownBy(() -> view.tryAcquire(limiter, "u", bad));
            assertThatIllegalArgumentException().isThrownBy(() -> view.peek(limiter, "u", bad));
        }
        for (Duration bad : new Duration[] {Duration.ofNanos(-1), Duration.ofDays(2), null}) {
            assertThatIllegalArgumentException().isThrownBy(() -> view.acquire(limiter, "u", bad));
        }
        assertThatIllegalArgumentException().isThrownBy(() -> interlock.rateLimiter("a\nb", Limit.gcra(1, MINUTE)));
        assertThatIllegalArgumentException().isThrownBy(() -> interlock.rateLimiter("a"));
        assertThat(takes.get()).isEqualTo(before);
    }

    @ParameterizedTest
    @EnumSource(LimiterView.class)
    void aKeyOfAnotherTypeFailsItsUserOnlyAndIsLeftAsItIs(LimiterView view) {
        String name = Topology.name("api");
        RateLimiter limiter =
                interlock.rateLimiter(name, PATIENT, Limit.gcra(5, MINUTE), Limit.slidingWindow(5, MINUTE));
        String broken = "interlock:limit:{" + name + ":u}:w";
        redis.lpush(broken, "x");
        CompletableFuture<Decision> other = limiter.async().tryAcquire("v").toCompletableFuture();
        assertThatThrownBy(() -> view.tryAcquire(limiter, "u"))
                .satisfiesAnyOf(
                        e -> assertThat(e).isInstanceOf(CorruptStateException.class),
                        e -> assertThat(e).hasCauseInstanceOf(CorruptStateException.class));
        assertThatThrownBy(() -> view.peek(limiter, "u", 1)).isInstanceOf(RuntimeException.class);
        assertThat(other.join().allowed()).isTrue();
        assertThat(redis.lrange(broken, 0, -1)).containsExactly("x");
        assertThat(redis.exists("interlock:limit:{" + name + ":u}:g")).isZero();
    }

    /** R14. */
    @Test
    void namesWithColonsBracesAndBlanksCountApart() {
        List<String> texts = List.of("a", "a:b", "b", "{a}", "}{", "a b", "%7B", "🎟️", "%s%n");
        String unique = Topology.name("n");
        for (String name : texts) {
            for (String key : texts) {
                RateLimiter limiter = interlock.rateLimiter(unique + name, PATIENT, Limit.gcra(1, MINUTE));
                assertThat(limiter.tryAcquire(key).allowed())
                        .as("%s %s", name, key)
                        .isTrue();
                assertThat(limiter.tryAcquire(key).allowed())
                        .as("%s %s", name, key)
                        .isFalse();
            }
        }
    }

    /** Rule 1, R4: the clock of the server decides, so decisions of all nodes lie on one time line. */
    @Test
    void theTimeOfADecisionIsThatOfTheServer() {
        RateLimiter limiter = limiter(Limit.gcra(10, MINUTE));
        long before = serverMicros();
        long at = limiter.tryAcquire("u").receipt().atMicros();
        assertThat(at).isBetween(before, serverMicros());
    }

    private long serverMicros() {
        List<String> time = redis.time();
        return Long.parseLong(time.get(0)) * 1_000_000 + Long.parseLong(time.get(1));
    }

    /** Rule 11, R10. */
    @Test
    void concurrentCallsForOneKeyShareScriptCalls() {
        RateLimiter limiter = limiter(Limit.fixedWindow(1_000_000, Duration.ofDays(300)));
        limiter.tryAcquire("hot");
        long before = takes.get();
        List<CompletableFuture<Decision>> calls = IntStream.range(0, 5_000)
                .mapToObj(i -> limiter.async().tryAcquire("hot").toCompletableFuture())
                .toList();
        assertThat(calls.stream()
                        .map(call -> call.join().remaining())
                        .distinct()
                        .count())
                .isEqualTo(5_000);
        assertThat(takes.get() - before).isLessThan(1_000);
    }

    /** Rule 6: scaled down from a million; each key has a time to live of its own. */
    @Test
    void oneTimeKeysLeaveNothing() {
        RateLimiter limiter = limiter(
                Limit.gcra(100, Duration.ofSeconds(1)).burst(1), Limit.slidingCounter(10, Duration.ofMillis(500)));
        for (int round = 0; round < 20; round++) {
            String prefix = "once" + round + '-';
            CompletableFuture<?>[] calls = IntStream.range(0, 1_000)
                    .mapToObj(i -> limiter.async().tryAcquire(prefix + i).toCompletableFuture())
                    .toArray(CompletableFuture[]::new);
            CompletableFuture.allOf(calls).join();
        }
        Awaitility.await()
                .atMost(Topology.PATIENCE.multipliedBy(3))
                .until(() -> redis.keys("*once*").stream().allMatch(key -> key.contains(":lane:")));
        try (Stream<String> keys = redis.keys("*").stream()) {
            assertThat(keys.filter(key -> redis.ttl(key) == -1).filter(key -> !key.endsWith("}:w")))
                    .isEmpty();
        }
    }
}
