// SPDX-License-Identifier: Apache-2.0
package dev.interlock.limit;

import static org.assertj.core.api.Assertions.assertThat;

import dev.interlock.Topology;
import dev.interlock.limit.Oracle.Grant;
import io.lettuce.core.ScriptOutputType;
import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** The rules of limiters, one test or more each, with clocks that stand still. */
class LimiterRulesIT extends LimiterRules {
    static Stream<Limit> limitsOfAThousand() {
        return Stream.of(
                Limit.slidingWindow(1000, SECOND),
                Limit.gcra(1000, SECOND),
                Limit.slidingCounter(1000, SECOND),
                Limit.fixedWindow(1000, SECOND));
    }

    /** L2: who offers twice the limit gets 95 % of it, and the k-bucket window what it says it may under-admit of that. */
    @ParameterizedTest
    @MethodSource("limitsOfAHundred")
    void whoOffersTwiceTheLimitGetsNearlyAllOfIt(Limit limit, double share) {
        RateLimiter limiter = limiter(limit);
        alignedStart();
        int periods = 8;
        int allowed = 0;
        for (long call = 0; call < 2 * periods * limit.permits(); call++) {
            allowed += limiter.tryAcquire("u").allowed() ? 1 : 0;
            frozen.micros.addAndGet(Oracle.micros(limit) / (2 * limit.permits()));
        }
        assertThat(allowed).isGreaterThanOrEqualTo((int) (0.95 * share * periods * limit.permits()));
    }

    static Stream<Arguments> limitsOfAHundred() {
        Limit.SlidingCounter counter = Limit.slidingCounter(100, SECOND);
        return Stream.of(
                Arguments.of(Limit.slidingWindow(100, SECOND), 1),
                Arguments.of(Limit.gcra(100, SECOND).burst(1), 1),
                Arguments.of(counter, counter.buckets() / (counter.buckets() + 1.0)),
                Arguments.of(Limit.fixedWindow(100, SECOND), 1));
    }

    /** Rule 2, R1. */
    @ParameterizedTest
    @MethodSource("limitsOfAThousand")
    void aThousandCallsInOneMicrosecondOrOneMultiCountAThousand(Limit limit) {
        FrozenLimiters.Direct direct = frozen.direct(limit);
        direct.limiter.peek("warm", 1);
        direct.decide(List.of(new Request("warm", 1, 0, 0))).join();
        redis.multi();
        for (int call = 2; call <= 1001; call++) {
            Batch batch = direct.batch("multi", 1);
            redis.evalsha(direct.sha1(), ScriptOutputType.MULTI, direct.keys(batch), direct.args(batch, call));
        }
        assertThat(redis.exec().size()).isEqualTo(1000);
        assertThat(direct.limiter.peek("multi", 1).allowed()).isFalse();
        assertThat(direct.limiter.peek("multi", 1).remaining()).isZero();
        RateLimiter limiter = limiter(limit);
        assertThat(allowedOf(999, limiter, "u")).isEqualTo(999);
        assertThat(limiter.tryAcquire("u").remaining()).isZero();
        assertThat(limiter.tryAcquire("u").allowed()).isFalse();
    }

    /** Rule 3, R2. */
    @ParameterizedTest
    @MethodSource("limitsOfFive")
    void deniedCallsWriteNothingAndExtendNothing(Limit limit) {
        FrozenLimiters.Direct direct = frozen.direct(limit);
        long start = alignedStart();
        assertThat(allowedOf(5, direct.limiter, "u")).isEqualTo(5);
        byte[] state = direct.states("u")[0];
        byte[] value = redis.dump(state);
        long expires = redis.pexpiretime(state);
        long free = start + direct.limiter.tryAcquire("u").verdict().retryMicros();
        long keys = redis.dbsize();
        for (int i = 0; i < 100; i++) {
            frozen.micros.set(start + i * (free - start) / 101);
            Decision denied = direct.limiter.tryAcquire("u");
            assertThat(denied.allowed()).isFalse();
            assertThat(denied.violated()).containsExactly(limit);
        }
        assertThat(redis.dump(state)).isEqualTo(value);
        assertThat(redis.pexpiretime(state)).isEqualTo(expires);
        // A lane of an earlier test may have ended meanwhile.
        assertThat(redis.dbsize()).isLessThanOrEqualTo(keys);
        frozen.micros.set(free);
        assertThat(direct.limiter.tryAcquire("u").allowed()).isTrue();
    }

    /** Rule 4. */
    @ParameterizedTest
    @MethodSource("limitsOfFive")
    void retryAfterIsExactToTheMicrosecond(Limit limit) {
        long seed = System.nanoTime();
        System.out.println("seed: " + seed);
        Random random = new Random(seed);
        RateLimiter limiter = limiter(limit, Limit.gcra(7, Duration.of(1_999_999, ChronoUnit.MICROS)));
        int denied = 0;
        while (denied < 200) {
            long weight = 1 + random.nextInt(5);
            Decision decision = limiter.tryAcquire("u", weight);
            if (!decision.allowed()) {
                denied++;
                frozen.micros.addAndGet(decision.verdict().retryMicros() - 1);
                Decision early = limiter.peek("u", weight);
                assertThat(early.allowed()).as("seed %d", seed).isFalse();
                assertThat(early.retryAfter()).isEqualTo(Duration.ofNanos(1000));
                frozen.micros.incrementAndGet();
                assertThat(limiter.peek("u", weight).allowed())
                        .as("seed %d", seed)
                        .isTrue();
            }
            frozen.micros.addAndGet(random.nextInt(300_000));
        }
    }

    /** Rule 4, R3. */
    @ParameterizedTest
    @MethodSource("limitsOfFive")
    void moreThanALimitCanGiveIsNeverAndTouchesNobodysBudget(Limit limit) {
        RateLimiter limiter = limiter(limit, Limit.gcra(100, SECOND));
        for (int i = 0; i < 20; i++) {
            Decision decision = limiter.tryAcquire("u", 10);
            assertThat(decision.allowed()).isFalse();
            assertThat(decision.retryAfter()).isEqualTo(Decision.NEVER);
            assertThat(decision.violated()).containsExactly(limit);
            assertThat(decision.resetAfter()).isZero();
        }
        assertThat(allowedOf(6, limiter, "u")).isEqualTo(5);
    }

    /** Rule 5, R7. */
    @ParameterizedTest
    @MethodSource("extremeLimits")
    void extremeRatesAreExact(Limit.Gcra limit) {
        RateLimiter limiter = limiter(limit);
        Oracle oracle = Oracle.of(limit);
        for (long weight : new long[] {limit.burst(), 1, limit.burst() / 2 + 1, 1, 1, limit.burst()}) {
            for (long step : new long[] {0, 1, limit.period().toNanos() / 1000 / limit.permits()}) {
                frozen.micros.addAndGet(step);
                assertThat(Oracle.Expected.of(limiter.tryAcquire("u", weight)))
                        .isEqualTo(oracle.take(frozen.micros.get(), weight, 0));
            }
        }
    }

    static Stream<Limit> extremeLimits() {
        return Stream.of(
                Limit.gcra(1, Duration.ofDays(1)),
                Limit.gcra(3, SECOND).burst(1),
                Limit.gcra(7, Duration.ofMinutes(11)).burst(300_000),
                Limit.gcra(1_000_000_000L, SECOND).burst(1_000_000),
                Limit.gcra(100_000_000_000L, SECOND),
                Limit.gcra(1_000_000_000_000L, Duration.ofDays(366)).burst(1_000_000_000_000L));
    }

    /** Rule 8, R13. */
    @Test
    void severalLimitsGiveAllOrNoneAndTheLongestWaitCounts() {
        Limit second = Limit.slidingWindow(10, SECOND);
        Limit hour = Limit.slidingCounter(12, Duration.ofHours(1));
        RateLimiter limiter =
                limiter(second, hour, Limit.gcra(50, SECOND), Limit.fixedWindow(1000, Duration.ofDays(1)));
        assertThat(limiter.tryAcquire("u", 10).remaining()).isZero();
        assertThat(limiter.tryAcquire("u", 10).limit()).isEqualTo(second);
        assertThat(limiter.tryAcquire("u", 10).violated()).containsExactly(second, hour);
        frozen.micros.addAndGet(MICROS);
        assertThat(limiter.tryAcquire("u", 2).limit()).isEqualTo(hour);
        Decision denied = limiter.tryAcquire("u", 3);
        assertThat(denied.violated()).containsExactly(hour);
        assertThat(denied.retryAfter()).isGreaterThan(Duration.ofMinutes(50));
        assertThat(denied.remaining()).isZero();
        FrozenLimiters.Direct alone = frozen.direct(second);
        assertThat(alone.limiter.tryAcquire("u", 8).remaining()).isEqualTo(2);
    }

    /** Rule 8: what one limit denied was not taken from the others. */
    @Test
    void aDenialByOneLimitTakesNothingFromTheOthers() {
        String name = Topology.name("none");
        RateLimiter both =
                frozen.limiter(name, Limit.slidingWindow(10, SECOND), Limit.fixedWindow(1, Duration.ofHours(1)));
        assertThat(allowedOf(20, both, "u")).isEqualTo(1);
        assertThat(frozen.limiter(name, Limit.slidingWindow(10, SECOND))
                        .peek("u", 1)
                        .remaining())
                .isEqualTo(9);
    }

    /** R6. */
    @ParameterizedTest
    @MethodSource("windowsOfAHundred")
    void aBurstBeforeAnEdgeAndSteadyTrafficNeverExceedAnyWindow(Limit limit) {
        RateLimiter limiter = limiter(limit);
        frozen.micros.set(alignedStart() + 999_990);
        List<Grant> grants = new ArrayList<>();
        for (int i = 0; i < 600; i++) {
            if (limiter.tryAcquire("u").allowed()) {
                grants.add(new Grant(frozen.micros.get(), 1));
            }
            frozen.micros.addAndGet(i < 120 ? 0 : 5_003);
        }
        assertThat(WorstWindow.keeps(limit, grants)).isTrue();
        assertThat(grants.size()).isGreaterThan(200);
    }

    static Stream<Limit> windowsOfAHundred() {
        return Stream.of(
                Limit.slidingWindow(100, SECOND),
                Limit.slidingCounter(100, SECOND),
                Limit.slidingCounter(100, SECOND).buckets(3),
                Limit.gcra(100, SECOND).burst(50),
                Limit.fixedWindow(100, SECOND));
    }

    /** R12: the same call of a lane is answered again, a late one of before does nothing. */
    @Test
    void aCallThatIsSentTwiceTakesOnceAndALateCopyTakesNothing() {
        FrozenLimiters.Direct direct = frozen.direct(Limit.gcra(10, SECOND));
        List<Request> request =
                List.of(new Request("u", 1, 0, 0), new Request("v", 2, 0, 0), new Request("u", 1, 0, 0));
        List<Decision> first = direct.decide(request, 7).join();
        List<Decision> again = direct.decide(request, 7).join();
        assertThat(again.toString()).isEqualTo(first.toString());
        assertThat(direct.limiter.peek("u", 1).remaining()).isEqualTo(8);
        assertThat(direct.decide(request, 6).join()).isEmpty();
        assertThat(direct.limiter.peek("v", 1).remaining()).isEqualTo(8);
        assertThat(direct.decide(request, 8).join()).hasSize(3);
        assertThat(direct.limiter.peek("v", 1).remaining()).isEqualTo(6);
    }
}
