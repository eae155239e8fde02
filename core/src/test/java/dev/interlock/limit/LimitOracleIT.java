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
    private static final int STEPS = 400;
    private static final int KEYS = 32;
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

    /** One user of one limiter, and what must be answered. */
    private record Subject(RateLimiter limiter, Limit limit, String key, Oracle oracle, List<Decision> granted) {}

    @ParameterizedTest
    @EnumSource(Algorithm.class)
    void decidesAsExactArithmeticDoes(Algorithm algorithm) {
        long seed = System.nanoTime();
        System.out.println("seed of " + algorithm + ": " + seed);
        Random random = new Random(seed);
        List<Subject> subjects = subjects(algorithm, random);
        int calls = 0;
        int denied = 0;
        int allowed = 0;
        for (int step = 0; calls < CALLS; step++) {
            List<CompletableFuture<Decision>> answers = new ArrayList<>();
            List<Expected> expected = new ArrayList<>();
            List<Subject> asked = new ArrayList<>();
            for (Subject subject : subjects) {
                long units = Algorithm.size(random, subject.limit.most() + 1);
                for (int i = random.nextInt(4); i > 0; i--) {
                    units = random.nextBoolean() ? units : Algorithm.size(random, subject.limit.most() + 1);
                    answers.add(subject.limiter
                            .async()
                            .tryAcquire(subject.key, units)
                            .toCompletableFuture());
                    expected.add(subject.oracle.take(frozen.micros.get(), units));
                    asked.add(subject);
                }
            }
            for (int i = 0; i < answers.size(); i++) {
                Decision decision = answers.get(i).join();
                assertThat(Expected.of(decision))
                        .as("seed %d step %d %s", seed, step, asked.get(i))
                        .isEqualTo(expected.get(i));
                calls++;
                denied += decision.allowed() ? 0 : 1;
                allowed += decision.allowed() ? 1 : 0;
                if (decision.allowed()) {
                    asked.get(i).granted.add(decision);
                }
            }
            refundSome(subjects, random);
            long scale = micros(subjects.get(random.nextInt(subjects.size())).limit);
            frozen.micros.addAndGet(random.nextInt(4) == 0 ? random.nextInt(3) : Algorithm.size(random, scale));
        }
        assertThat(allowed).isGreaterThan(CALLS / 20);
        assertThat(denied).isGreaterThan(CALLS / 20);
    }

    private static long micros(Limit limit) {
        return Oracle.micros(limit);
    }

    private List<Subject> subjects(Algorithm algorithm, Random random) {
        return Stream.generate(() -> algorithm.limit(random))
                .limit(LIMITERS)
                .flatMap(limit -> {
                    RateLimiter limiter = frozen.limiter(Topology.name("oracle"), limit);
                    return Stream.iterate(0, i -> i + 1)
                            .limit(KEYS)
                            .map(i -> new Subject(limiter, limit, "u" + i, Oracle.of(limit), new ArrayList<>()));
                })
                .toList();
    }

    private void refundSome(List<Subject> subjects, Random random) {
        for (int i = 0; i < 4; i++) {
            Subject subject = subjects.get(random.nextInt(subjects.size()));
            if (!subject.granted.isEmpty()) {
                Decision decision = subject.granted.remove(random.nextInt(subject.granted.size()));
                Receipt receipt = decision.receipt();
                subject.limiter.refund(decision);
                subject.oracle.refund(frozen.micros.get(), new Grant(receipt.atMicros(), receipt.units()));
                assertThat(subject.limiter.refund(decision)).isFalse();
            }
        }
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
                    .isEqualTo(new Expected(row[1] == 1, row[2], row[3], row[4]));
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
                    .isEqualTo(new Expected(row[2] == 1, row[3], row[4], row[5]));
        }
    }
}
