// SPDX-License-Identifier: Apache-2.0
package dev.interlock.limit;

import static org.assertj.core.api.Assertions.assertThat;

import dev.interlock.Topology;
import dev.interlock.limit.Oracle.Grant;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The rules of limiters about what is stored, what changes, and clocks that are set; the clocks stand still otherwise. */
class LimiterChangesIT extends LimiterRules {
    /** Rule 6. The frozen clock keeps keys an hour longer, so their time to live is known to that hour. */
    @ParameterizedTest
    @MethodSource("limitsOfFive")
    void everyKeyHasATimeToLiveThatEndsWhenAllIsUnused(Limit limit) {
        FrozenLimiters.Direct direct = frozen.direct(limit);
        for (int i = 0; i < 3; i++) {
            frozen.micros.addAndGet(7_001);
            direct.limiter.tryAcquire("u");
            direct.limiter.acquire("u", Duration.ZERO);
        }
        for (byte[] key : redis.keys("*")) {
            assertThat(redis.pttl(key))
                    .as(new String(key, StandardCharsets.UTF_8))
                    .isPositive();
        }
        long ends = direct.limiter.peek("u", 1).verdict().resetMicros();
        long lives = redis.pttl(direct.states("u")[0]) - 3_600_000;
        assertThat(lives * 1000).isBetween(ends - 10_000_000, ends + 2_000);
    }

    /** Rule 6, R9. */
    @Test
    void aKeyThatIsGoneCountsAsUnusedAndOneOfAnOlderVersionIsReplaced() {
        FrozenLimiters.Direct direct = frozen.direct(Limit.gcra(2, SECOND), Limit.fixedWindow(3, SECOND));
        alignedStart();
        assertThat(allowedOf(3, direct.limiter, "u")).isEqualTo(2);
        redis.del(direct.states("u")[0]);
        assertThat(allowedOf(3, direct.limiter, "u")).isEqualTo(1);
        for (String strange : List.of("", "-1", "nan", "5", "1e3:0:1:1", "12:0:0:0", "999999999999999999999:0:1:1")) {
            for (byte[] state : direct.states("v")) {
                redis.set(state, strange.getBytes(StandardCharsets.UTF_8));
            }
            Decision decision = direct.limiter.tryAcquire("v");
            assertThat(decision.remaining()).as(strange).isBetween(0L, 2L);
            frozen.micros.addAndGet(2 * MICROS);
            assertThat(direct.limiter.tryAcquire("v").allowed()).as(strange).isTrue();
        }
    }

    static Stream<List<Limit>> changes() {
        return Stream.of(
                List.of(
                        Limit.slidingWindow(100, SECOND),
                        Limit.slidingWindow(10, SECOND),
                        Limit.slidingWindow(1000, SECOND)),
                List.of(Limit.gcra(100, SECOND), Limit.gcra(10, SECOND), Limit.gcra(1000, SECOND)),
                List.of(
                        Limit.slidingCounter(100, SECOND),
                        Limit.slidingCounter(10, SECOND),
                        Limit.slidingCounter(1000, SECOND)),
                List.of(
                        Limit.slidingCounter(100, SECOND),
                        Limit.slidingCounter(10, SECOND).buckets(3),
                        Limit.slidingCounter(1000, Duration.ofSeconds(2)).buckets(7)),
                List.of(
                        Limit.fixedWindow(100, SECOND),
                        Limit.fixedWindow(10, SECOND),
                        Limit.fixedWindow(1000, Duration.ofMinutes(1))));
    }

    /** Rule 7, R5. */
    @ParameterizedTest
    @MethodSource("changes")
    void aChangedLimitTakesEffectAtOnceAndKeepsWhatWasUsed(List<Limit> limits) {
        String name = Topology.name("change");
        alignedStart();
        assertThat(frozen.limiter(name, limits.get(0)).tryAcquire("u", 50).remaining())
                .isEqualTo(50);
        assertThat(frozen.limiter(name, limits.get(0)).tryAcquire("v", 50).remaining())
                .isEqualTo(50);
        RateLimiter lowered = frozen.limiter(name, limits.get(1));
        for (int i = 0; i < 5; i++) {
            assertThat(lowered.tryAcquire("u").allowed()).isFalse();
        }
        RateLimiter raised = frozen.limiter(name, limits.get(2));
        assertThat(raised.peek("v", 1).remaining()).isEqualTo(950);
        assertThat(raised.tryAcquire("v").remaining()).isEqualTo(949);
        // The denials under the lower limit do not count.
        assertThat(raised.tryAcquire("u").remaining()).isGreaterThanOrEqualTo(949);
        frozen.micros.addAndGet(60 * MICROS);
        assertThat(raised.tryAcquire("u").remaining()).isEqualTo(999);
    }

    /** Rule 7, and row 16 of the faults. */
    @ParameterizedTest
    @MethodSource("limitsOfFive")
    void aClockThatGoesBackLocksNobodyOutForLongerThanOneRefill(Limit limit) {
        RateLimiter limiter = limiter(limit);
        long start = alignedStart();
        assertThat(allowedOf(6, limiter, "u")).isEqualTo(5);
        frozen.micros.set(start - 3600 * MICROS);
        List<Grant> grants = new ArrayList<>();
        for (int i = 0; i < 50; i++) {
            if (limiter.tryAcquire("u").allowed()) {
                grants.add(new Grant(frozen.micros.get(), 1));
            }
            frozen.micros.addAndGet(100_000);
        }
        assertThat(grants.get(0).at() - start + 3600 * MICROS).isLessThanOrEqualTo(1_200_000);
        assertThat(grants.size()).isGreaterThanOrEqualTo(15);
        assertThat(WorstWindow.keeps(limit, grants)).isTrue();
    }

    /** Rule 7, and row 15 of the faults. */
    @ParameterizedTest
    @MethodSource("limitsOfFive")
    void aClockThatGoesForwardGivesAtMostOneMoreWindow(Limit limit) {
        RateLimiter limiter = limiter(limit);
        alignedStart();
        assertThat(allowedOf(20, limiter, "u")).isEqualTo(5);
        frozen.micros.addAndGet(61 * MICROS);
        assertThat(allowedOf(20, limiter, "u")).isEqualTo(5);
    }

    /** Rule 9, R8. */
    @ParameterizedTest
    @MethodSource("limitsOfFive")
    void aRefundCreditsOnceAndNeverAboveTheLimit(Limit limit) {
        RateLimiter limiter = limiter(limit);
        alignedStart();
        Decision first = limiter.tryAcquire("u", 2);
        Decision second = limiter.tryAcquire("u", 3);
        assertThat(limiter.tryAcquire("u").allowed()).isFalse();
        assertThat(limiter.refund(first)).isTrue();
        assertThat(limiter.refund(first)).isFalse();
        assertThat(limiter.peek("u", 1).remaining()).isEqualTo(2);
        assertThat(limiter.tryAcquire("u", 2).remaining()).isZero();
        frozen.micros.addAndGet(5 * MICROS);
        assertThat(limiter.refund(second)).isFalse();
        assertThat(limiter.peek("u", 1).remaining()).isEqualTo(5);
        assertThat(allowedOf(10, limiter, "u")).isEqualTo(5);
        assertThat(limiter.refund(limiter.tryAcquire("u"))).isFalse();
        assertThat(limiter.refund(limiter.peek("v", 1))).isFalse();
    }

    /** Bytes that a user costs beyond the text of the key. */
    @Test
    void aUserCostsFewBytes() {
        Map<Limit, Integer> most = Map.of(
                Limit.gcra(100, SECOND),
                82,
                Limit.slidingCounter(100, SECOND),
                150,
                Limit.fixedWindow(100, SECOND),
                100,
                Limit.slidingWindow(100, SECOND),
                2080);
        most.forEach((limit, bytes) -> {
            FrozenLimiters.Direct direct = frozen.direct(limit);
            for (int i = 0; i < 100; i++) {
                direct.limiter.tryAcquire("user:7");
                frozen.micros.addAndGet(9_900);
            }
            byte[] key = direct.states("user:7")[0];
            System.out.println(limit + ": " + redis.memoryUsage(key) + " bytes with a key of " + key.length);
            assertThat(redis.memoryUsage(key) - key.length).as(limit.toString()).isLessThanOrEqualTo(bytes);
        });
    }
}
