// SPDX-License-Identifier: Apache-2.0
package dev.interlock.value;

import static org.assertj.core.api.Assertions.assertThat;

import dev.interlock.Codec;
import dev.interlock.Interlock;
import dev.interlock.InterlockListener;
import dev.interlock.NotExecutedException;
import dev.interlock.OutcomeUnknownException;
import dev.interlock.Topology;
import dev.interlock.embedded.FaultProxy;
import dev.interlock.embedded.RedisServer;
import dev.interlock.value.Versioned.Snapshot;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.Callable;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;

/**
 * Threads on three Interlocks read and swap the same values while replies are lost, connections cut and answers swallowed. Each
 * key's history must be linearizable (A1) and the versions a chain without forks (A2).
 */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class ValueHistoryIT {
    private static final int THREADS = 6;
    private static final int KEYS = 4;
    private static final int MOST_OPERATIONS = 800;
    private static final long RUN_NANOS = TimeUnit.SECONDS.toNanos(2);
    private static final int MOST_RUNS = 5;
    private static final int ENOUGH_FAULTS = 80;

    private final long seed = System.nanoTime();
    private final AtomicLong resent = new AtomicLong();
    private final AtomicLong unknown = new AtomicLong();
    private final AtomicLong names = new AtomicLong();
    private final List<FaultProxy> proxies = new ArrayList<>();
    private final List<Interlock> interlocks = new ArrayList<>();
    private RedisServer server;
    private ScheduledExecutorService trouble;

    @BeforeAll
    void start() {
        server = RedisServer.start();
        trouble = Executors.newSingleThreadScheduledExecutor();
        for (int i = 0; i < 3; i++) {
            FaultProxy proxy = FaultProxy.to(server.port());
            proxies.add(proxy);
            interlocks.add(Interlock.builder()
                    .uri(proxy.redisUri())
                    .commandTimeout(Duration.ofMillis(250))
                    .listener(new InterlockListener() {
                        @Override
                        public void scriptResent(String script) {
                            resent.incrementAndGet();
                        }
                    })
                    .build());
        }
    }

    @AfterAll
    void stop() {
        trouble.shutdownNow();
        interlocks.forEach(Interlock::close);
        proxies.forEach(FaultProxy::close);
        server.close();
    }

    /** The two kinds of value, as registers. */
    private interface Register {
        Optional<String> read();

        /** Empty if it was swapped, else what was there instead. */
        Optional<Optional<String>> swap(Optional<String> expected, Optional<String> next);
    }

    private record Plain(AtomicValue<String> value) implements Register {
        @Override
        public Optional<String> read() {
            return value.get();
        }

        @Override
        public Optional<Optional<String>> swap(Optional<String> expected, Optional<String> next) {
            CasResult<String> result = value.compareAndSet(expected.orElse(null), next.orElse(null));
            if (result instanceof CasResult.Conflict<String> conflict) {
                return Optional.of(Optional.of(conflict.current()));
            }
            return result instanceof CasResult.NotFound ? Optional.of(Optional.empty()) : Optional.empty();
        }
    }

    /** Every text is written once, so it stands for its version. */
    private record WithVersions(Versioned<String> value, Map<String, Long> versions, Map<Long, String> writers)
            implements Register {
        private Optional<String> learn(Snapshot<String> seen) {
            assertThat(versions.merge(seen.value(), seen.version(), (old, now) -> old))
                    .as("a text has one version")
                    .isEqualTo(seen.version());
            return Optional.of(seen.value());
        }

        @Override
        public Optional<String> read() {
            return value.get().flatMap(this::learn);
        }

        @Override
        public Optional<Optional<String>> swap(Optional<String> expected, Optional<String> next) {
            long version = expected.map(versions::get).orElse(Versioned.ABSENT);
            WriteResult<String> result = value.compareAndSet(version, next.orElse(null));
            if (result instanceof WriteResult.Conflict<String> conflict) {
                return Optional.of(learn(conflict.current()));
            } else if (result instanceof WriteResult.NotFound) {
                return Optional.of(Optional.empty());
            }
            long written = ((WriteResult.Written<String>) result).version();
            assertThat(written).isGreaterThan(version);
            next.ifPresent(text -> learn(new Snapshot<>(text, written)));
            // Creation may follow several deletions; every other version has one successor.
            String successor = version == Versioned.ABSENT ? null : writers.put(version, next.orElse("deleted"));
            assertThat(successor).as("successors of version %d", version).isNull();
            return Optional.empty();
        }
    }

    @Test
    void valuesAreLinearizableWhileRepliesAreLost() throws Exception {
        judge((interlock, key) -> new Plain(interlock.value(key)));
    }

    @Test
    void versionedValuesAreLinearizableWhileRepliesAreLost() throws Exception {
        Map<String, Map<String, Long>> versions = new ConcurrentHashMap<>();
        Map<String, Map<Long, String>> writers = new ConcurrentHashMap<>();
        judge((interlock, key) -> new WithVersions(
                interlock.versioned(key, Codec.utf8()),
                versions.computeIfAbsent(key, ignored -> new ConcurrentHashMap<>()),
                writers.computeIfAbsent(key, ignored -> new ConcurrentHashMap<>())));
    }

    private interface Opener {
        Register open(Interlock interlock, String key);
    }

    /** A run that met few faults or left no outcome unknown proves little, so there are more; with none of either it fails. */
    private void judge(Opener opener) throws Exception {
        long faultsBefore = faults();
        long resentBefore = resent.get();
        long unknownBefore = unknown.get();
        long start = System.nanoTime();
        Future<?> troubled = trouble.scheduleWithFixedDelay(new Trouble(proxies, seed), 5, 5, TimeUnit.MILLISECONDS);
        try {
            for (int i = 0; i < MOST_RUNS && !enough(faultsBefore, unknownBefore); i++) {
                for (RegisterHistory history : run(opener)) {
                    assertThat(history.isLinearizable())
                            .as("seed %d%n%s", seed, history)
                            .isTrue();
                }
            }
        } finally {
            troubled.cancel(false);
        }
        assertThat(faults() - faultsBefore).as("faults met").isPositive();
        assertThat(resent.get() - resentBefore).as("calls sent again").isPositive();
        assertThat(unknown.get() - unknownBefore).as("unknown outcomes").isPositive();
        System.out.printf(
                "seed %d: %d faults, %d sent again, %d unknown, %d ms%n",
                seed,
                faults() - faultsBefore,
                resent.get() - resentBefore,
                unknown.get() - unknownBefore,
                TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - start));
    }

    private boolean enough(long faultsBefore, long unknownBefore) {
        return faults() - faultsBefore >= ENOUGH_FAULTS && unknown.get() > unknownBefore;
    }

    private long faults() {
        return proxies.stream().mapToLong(FaultProxy::faults).sum();
    }

    private List<RegisterHistory> run(Opener opener) throws Exception {
        List<RegisterHistory> histories = new ArrayList<>();
        List<String> keys = new ArrayList<>();
        for (int i = 0; i < KEYS; i++) {
            histories.add(new RegisterHistory());
            keys.add(Topology.name("register"));
        }
        ExecutorService threads = Executors.newFixedThreadPool(THREADS);
        try {
            List<Callable<Void>> workers = new ArrayList<>();
            for (int i = 0; i < THREADS; i++) {
                Interlock interlock = interlocks.get(i % interlocks.size());
                List<Register> registers =
                        keys.stream().map(key -> opener.open(interlock, key)).toList();
                workers.add(new Worker(new Random(seed + i), registers, histories));
            }
            for (Future<Void> worker : threads.invokeAll(workers)) {
                worker.get();
            }
        } finally {
            threads.shutdownNow();
        }
        return histories;
    }

    private final class Worker implements Callable<Void> {
        private final Random random;
        private final List<Register> registers;
        private final List<RegisterHistory> histories;
        private final List<Optional<String>> last = new ArrayList<>();

        Worker(Random random, List<Register> registers, List<RegisterHistory> histories) {
            this.random = random;
            this.registers = registers;
            this.histories = histories;
            registers.forEach(ignored -> last.add(Optional.empty()));
        }

        @Override
        public Void call() {
            long start = System.nanoTime();
            for (int i = 0; i < MOST_OPERATIONS && System.nanoTime() - start < RUN_NANOS; i++) {
                int key = random.nextInt(registers.size());
                if (random.nextInt(10) < 4) {
                    read(key);
                } else {
                    boolean delete = last.get(key).isPresent() && random.nextInt(10) == 0;
                    swap(key, delete ? Optional.empty() : Optional.of("v" + names.incrementAndGet()));
                }
            }
            return null;
        }

        private void read(int key) {
            long begin = System.nanoTime();
            try {
                Optional<String> result = registers.get(key).read();
                histories.get(key).read(begin, System.nanoTime(), result);
                last.set(key, result);
            } catch (OutcomeUnknownException | NotExecutedException e) {
                // A reading without a result says nothing.
            }
        }

        private void swap(int key, Optional<String> next) {
            Optional<String> expected = last.get(key);
            long begin = System.nanoTime();
            try {
                Optional<Optional<String>> instead = registers.get(key).swap(expected, next);
                long end = System.nanoTime();
                if (instead.isPresent()) {
                    histories.get(key).refused(begin, end, expected, instead.get());
                } else {
                    histories.get(key).swapped(begin, end, expected, next);
                }
                last.set(key, instead.orElse(next));
            } catch (OutcomeUnknownException e) {
                unknown.incrementAndGet();
                histories.get(key).unknown(begin, expected, next);
            } catch (NotExecutedException e) {
                // It surely had no effect, so it is no part of the history: a wrong claim makes the history fail.
            }
        }
    }
}
