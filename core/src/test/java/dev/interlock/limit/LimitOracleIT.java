// SPDX-License-Identifier: Apache-2.0
package dev.interlock.limit;

import static org.assertj.core.api.Assertions.assertThat;

import dev.interlock.Topology;
import dev.interlock.limit.Oracle.Expected;
import dev.interlock.limit.Oracle.Grant;
import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Every algorithm against exact arithmetic, with an injected clock, in over 100,000 calls each. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class LimitOracleIT {
    private static final int STEPS = 100;
    private static final int KEYS = 30;
    private static final int LIMITERS = 8;
    private static final int CALLS = 100_000;

    private FrozenLimiters frozen;

    /** The algorithms, each with random limits. */
    enum Algorithm {
        GCRA {
            @Override
            Limit limit(Random random) {
                while (true) {
                    try {
                        long permits = size(random, 1_000_000_000_000L);
                        return Limit.gcra(permits, period(random)).burst(size(random, 1_000_000_000_000L));
                    } catch (IllegalArgumentException tooLarge) {
                        // Refused when built: R7.
                    }
                }
            }
        },
        LOG {
            @Override
            Limit limit(Random random) {
                return Limit.slidingWindow(size(random, 200), period(random));
            }
        },
        COUNTER {
            @Override
            Limit limit(Random random) {
                Duration period = period(random);
                long max = Math.min(1_000_000_000_000L, period.toNanos() / 1000 * 100_000);
                return Limit.slidingCounter(size(random, max), period).buckets(1 + random.nextInt(20));
            }
        },
        FIXED {
            @Override
            Limit limit(Random random) {
                Duration period = period(random);
                long max = Math.min(1_000_000_000_000L, period.toNanos() / 1000 * 100_000);
                return Limit.fixedWindow(size(random, max), period);
            }
        };

        abstract Limit limit(Random random);

        /** Of every magnitude. */
        static long size(Random random, long max) {
            long bound = (long) Math.pow(max, random.nextDouble());
            return 1 + random.nextLong(Math.max(1, bound));
        }

        static Duration period(Random random) {
            return Duration.of(1000 + size(random, 366L * 86_400_000_000L - 1000), ChronoUnit.MICROS);
        }
    }

    @BeforeAll
    void start() {
        frozen = new FrozenLimiters(Topology.STANDALONE);
    }

    @AfterAll
    void stop() {
        frozen.close();
    }

    /** One limiter, its users and what must be answered. */
    private final class Trial {
        final Limit limit;
        final FrozenLimiters.Direct direct;
        final Random random;
        final List<Oracle> oracles = new ArrayList<>();
        final List<Decision> granted = new ArrayList<>();
        private final List<Expected> expected = new ArrayList<>();

        Trial(Limit limit, Random random) {
            this.limit = limit;
            this.random = random;
            direct = frozen.direct(limit);
            for (int i = 0; i < KEYS; i++) {
                oracles.add(Oracle.of(limit));
            }
        }

        /** Asks for some users, several times for some, so that equal requests follow each other. */
        CompletableFuture<List<Decision>> step() {
            expected.clear();
            List<Request> requests = new ArrayList<>();
            long units = size();
            int user = 0;
            for (int i = 0; i < KEYS; i++) {
                units = random.nextInt(3) > 0 ? units : size();
                user = random.nextInt(3) > 0 ? user : random.nextInt(KEYS);
                long patience = random.nextInt(4) > 0 ? 0 : random.nextLong(2 * Oracle.micros(limit));
                requests.add(new Request("u" + user, units, patience, 0));
                expected.add(oracles.get(user).take(frozen.micros.get(), units, patience));
            }
            return direct.decide(requests);
        }

        private long size() {
            return Algorithm.size(random, limit.most() + 1);
        }

        void check(List<Decision> decisions, String where) {
            assertThat(decisions.stream().map(Expected::of).toList())
                    .as("%s %s", where, limit)
                    .isEqualTo(expected);
            decisions.stream().filter(Decision::allowed).forEach(granted::add);
        }

        void refundOne() {
            if (!granted.isEmpty()) {
                Decision decision = granted.remove(random.nextInt(granted.size()));
                Receipt receipt = decision.receipt();
                direct.limiter.refund(decision);
                int user = Integer.parseInt(receipt.key().substring(1));
                oracles.get(user).refund(frozen.micros.get(), new Grant(receipt.atMicros(), receipt.units()));
                assertThat(direct.limiter.refund(decision)).isFalse();
            }
        }
    }

    @ParameterizedTest
    @EnumSource(Algorithm.class)
    void decidesAsExactArithmeticDoes(Algorithm algorithm) {
        long seed = Long.getLong("seed", System.nanoTime());
        System.out.println("seed of " + algorithm + ": " + seed);
        Random random = new Random(seed);
        int denied = 0;
        int waiting = 0;
        int calls = 0;
        while (calls < CALLS) {
            List<Trial> trials = Stream.generate(() -> new Trial(algorithm.limit(random), random))
                    .limit(LIMITERS)
                    .toList();
            for (int step = 0; step < STEPS; step++) {
                String where = "seed " + seed + " call " + calls;
                List<CompletableFuture<List<Decision>>> answers =
                        trials.stream().map(Trial::step).toList();
                for (int i = 0; i < LIMITERS; i++) {
                    List<Decision> decisions = answers.get(i).join();
                    trials.get(i).check(decisions, where);
                    calls += decisions.size();
                    denied += (int) decisions.stream().filter(d -> !d.allowed()).count();
                    waiting += (int) decisions.stream()
                            .filter(d -> d.verdict().waitMicros() > 0)
                            .count();
                }
                Trial one = trials.get(random.nextInt(LIMITERS));
                one.refundOne();
                long pause = Algorithm.size(random, Oracle.micros(one.limit));
                frozen.micros.addAndGet(random.nextInt(3) == 0 ? random.nextInt(2) : pause);
            }
        }
        assertThat(calls - denied).isGreaterThan(CALLS / 20);
        assertThat(denied).isGreaterThan(CALLS / 20);
        assertThat(waiting).isGreaterThan(CALLS / 500);
    }

    @Test
    void decidesTheGoldenRowsOfGcra() {
        long[][] rows = {
            {0, 1, 2, 0, 333334},
            {0, 1, 1, 0, 666667},
            {0, 1, 0, 0, 1000000},
            {0, 0, 0, 333334, 1000000},
            {333333, 0, 0, 1, 666667},
            {333334, 1, 0, 0, 1000000},
            {666666, 0, 0, 1, 666668},
            {666667, 1, 0, 0, 1000000},
            {1000000, 1, 0, 0, 1000000},
            {1000000, 0, 0, 333334, 1000000}
        };
        RateLimiter limiter = frozen.limiter(Topology.name("golden"), Limit.gcra(3, Duration.ofSeconds(1)));
        long start = frozen.micros.get();
        for (long[] row : rows) {
            frozen.micros.set(start + row[0]);
            assertThat(Expected.of(limiter.tryAcquire("u")))
                    .as(Arrays.toString(row))
                    .isEqualTo(new Expected(row[1] == 1, row[2], row[3], row[4], 0));
        }
    }

    @Test
    void decidesTheGoldenRowsOfTheLog() {
        long[][] rows = {
            {0, 1, 1, 2, 0, 1000000}, {0, 1, 1, 1, 0, 1000000}, {400000, 1, 1, 0, 0, 600000},
            {500000, 1, 0, 0, 500000, 900000}, {500000, 2, 0, 0, 500000, 900000}, {999999, 1, 0, 0, 1, 400001},
            {1000000, 2, 1, 0, 0, 400000}, {1000000, 1, 0, 0, 400000, 1000000}, {1400000, 1, 1, 0, 0, 600000}
        };
        RateLimiter limiter = frozen.limiter(Topology.name("golden"), Limit.slidingWindow(3, Duration.ofSeconds(1)));
        long start = frozen.micros.get();
        for (long[] row : rows) {
            frozen.micros.set(start + row[0]);
            assertThat(Expected.of(limiter.tryAcquire("u", row[1])))
                    .as(Arrays.toString(row))
                    .isEqualTo(new Expected(row[2] == 1, row[3], row[4], row[5], 0));
        }
    }
}
