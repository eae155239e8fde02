// SPDX-License-Identifier: Apache-2.0
package dev.interlock.limit;

import static org.assertj.core.api.Assertions.assertThat;

import dev.interlock.Topology;
import dev.interlock.limit.Decision.Origin;
import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.Random;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Rule 10: the denial cache is exact, bounded, and worth it. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class DenialCacheIT {
    private static final RateLimiterOptions CACHED = RateLimiterOptions.DEFAULT.withDeadline(Topology.PATIENCE);
    private static final Duration SECOND = Duration.ofSeconds(1);

    private FrozenLimiters frozen;

    @BeforeAll
    void start() {
        frozen = new FrozenLimiters(Topology.STANDALONE);
    }

    @AfterAll
    void stop() {
        frozen.close();
    }

    static Stream<Limit> limits() {
        return Stream.of(
                Limit.slidingWindow(20, SECOND),
                Limit.gcra(20, SECOND).burst(5),
                Limit.gcra(7, Duration.of(1_234_567, ChronoUnit.MICROS)),
                Limit.slidingCounter(20, SECOND),
                Limit.fixedWindow(20, Duration.ofSeconds(3)));
    }

    /** Two nodes, one with the cache, against the oracle: what the oracle allows is never denied. */
    @ParameterizedTest
    @MethodSource("limits")
    void neverDeniesWhatRedisWouldAllow(Limit limit) {
        long seed = System.nanoTime();
        System.out.println("seed: " + seed);
        Random random = new Random(seed);
        String name = Topology.name("cached");
        RateLimiter cached = frozen.limiter(name, CACHED, limit);
        RateLimiter other = frozen.limiter(name, limit);
        Oracle oracle = Oracle.of(limit);
        int fromCache = 0;
        for (int i = 0; i < 2_000; i++) {
            long units = 1 + random.nextInt(3);
            long now = frozen.micros.get();
            Decision decision = random.nextInt(10) == 0 ? other.tryAcquire("u", units) : cached.tryAcquire("u", units);
            Oracle.Expected expected = oracle.take(now, units, 0);
            assertThat(decision.allowed()).as("seed %d call %d", seed, i).isEqualTo(expected.allowed());
            fromCache += decision.origin() == Origin.DENIAL_CACHE ? 1 : 0;
            if (decision.origin() == Origin.DENIAL_CACHE) {
                // Whoever took more since has only made it longer.
                assertThat(decision.verdict().retryMicros()).isLessThanOrEqualTo(expected.retry());
            }
            frozen.micros.addAndGet(random.nextInt(20_000));
        }
        assertThat(fromCache).isGreaterThan(200);
    }

    @Test
    void aDenialIsKnownUntilItsEndAndForAtMostASecond() {
        RateLimiter limiter =
                frozen.limiter(Topology.name("end"), CACHED, Limit.slidingWindow(1, Duration.ofMinutes(1)));
        limiter.tryAcquire("u");
        assertThat(limiter.tryAcquire("u").origin()).isEqualTo(Origin.REDIS);
        frozen.micros.addAndGet(999_999);
        Decision known = limiter.tryAcquire("u");
        assertThat(known.origin()).isEqualTo(Origin.DENIAL_CACHE);
        assertThat(known.verdict().retryMicros()).isEqualTo(60_000_000 - 999_999);
        assertThat(limiter.tryAcquire("u", 2).origin()).isEqualTo(Origin.REDIS);
        frozen.micros.addAndGet(1);
        assertThat(limiter.tryAcquire("u").origin()).isEqualTo(Origin.REDIS);
        assertThat(limiter.acquire("u", Duration.ofSeconds(58)).origin()).isEqualTo(Origin.REDIS);
    }

    @Test
    void whatThisNodeChangesEndsWhatItKnows() {
        String name = Topology.name("change");
        RateLimiter limiter = frozen.limiter(name, CACHED, Limit.slidingWindow(1, Duration.ofMinutes(1)));
        Decision first = limiter.tryAcquire("u");
        limiter.tryAcquire("u");
        RateLimiter raised = frozen.limiter(name, CACHED, Limit.slidingWindow(2, Duration.ofMinutes(1)));
        Decision second = raised.tryAcquire("u");
        assertThat(second.allowed()).isTrue();
        raised.tryAcquire("u");
        // A refund through another limiter of the same name counts too.
        assertThat(limiter.refund(first)).isTrue();
        assertThat(raised.tryAcquire("u").allowed()).isTrue();
        assertThat(raised.tryAcquire("u").allowed()).isFalse();
        limiter.reset("u");
        assertThat(raised.tryAcquire("u").allowed()).isTrue();
    }

    @Test
    void aDenialThatWasUnderWayDuringARefundIsNotKept() {
        AtomicLong nanos = new AtomicLong();
        DenialCache cache = new DenialCache(nanos::get);
        LimiterSpec spec = new LimiterSpec(frozen.engine.keys(), "race", CACHED, Limit.gcra(1, Duration.ofMinutes(1)));
        Request request = new Request("u", 1, 0, 0);
        Decision denial = new Decision(
                new Decision.Verdict(false, 0, 500_000, 500_000, 0),
                spec.limits.get(0),
                spec.limits,
                Origin.REDIS,
                null);
        DenialCache.Mark mark = cache.mark();
        cache.drop("u");
        cache.put(spec, request, denial, mark);
        assertThat(cache.find(spec, request)).isNull();
        cache.put(spec, request, denial, cache.mark());
        assertThat(cache.find(spec, request)).isNotNull();
    }

    @Test
    void theCacheStaysWithinItsSizeAndMakesRoom() {
        String name = Topology.name("small");
        RateLimiter limiter =
                frozen.limiter(name, CACHED.withDenialCacheSize(10), Limit.slidingWindow(1, Duration.ofMinutes(1)));
        DenialCache cache = frozen.engine.shared(DenialCache.class, name, () -> null);
        for (int i = 0; i < 50; i++) {
            limiter.tryAcquire("u" + i);
            limiter.tryAcquire("u" + i);
            assertThat(cache.size()).isLessThanOrEqualTo(10);
        }
        assertThat(limiter.tryAcquire("u49").origin()).isEqualTo(Origin.REDIS);
        frozen.micros.addAndGet(1_000_000);
        limiter.tryAcquire("u49");
        assertThat(limiter.tryAcquire("u49").origin()).isEqualTo(Origin.DENIAL_CACHE);
    }

    @Test
    void aHotDeniedKeyCostsRedisNextToNothing() {
        RateLimiter limiter = frozen.limiter(Topology.name("hot"), CACHED, Limit.gcra(10, SECOND));
        int asked = 0;
        int allowed = 0;
        for (int i = 0; i < 20_000; i++) {
            Decision decision = limiter.tryAcquire("hot");
            asked += decision.origin() == Origin.REDIS ? 1 : 0;
            allowed += decision.allowed() ? 1 : 0;
            frozen.micros.addAndGet(500);
        }
        assertThat(allowed).isBetween(109, 110);
        assertThat(asked).isLessThan(20_000 / 20);
    }
}
