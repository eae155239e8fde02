// SPDX-License-Identifier: Apache-2.0
package dev.interlock.lock;

import static org.assertj.core.api.Assertions.assertThat;

import dev.interlock.Interlock;
import dev.interlock.InterlockListener;
import dev.interlock.Topology;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;

/** Very many locks at once. */
class LockManyIT extends LockSetup {
    private static final int MANY = 10_000;

    LockManyIT() {
        super(Topology.STANDALONE);
    }

    /** Counts script calls by name. */
    private static final class Calls implements InterlockListener {
        final ConcurrentMap<String, AtomicInteger> done = new ConcurrentHashMap<>();

        @Override
        public void scriptCompleted(String script, Outcome outcome, long nanos) {
            done.computeIfAbsent(script, name -> new AtomicInteger()).incrementAndGet();
        }

        int of(String script) {
            return done.getOrDefault(script, new AtomicInteger()).get();
        }
    }

    private static List<CompletableFuture<Lease>> acquireAll(Interlock jvm, String prefix, LockOptions options) {
        return IntStream.range(0, MANY)
                .mapToObj(
                        i -> jvm.lock(prefix + i, options).async().acquire(LONG).toCompletableFuture())
                .toList();
    }

    private long connections() {
        return redis.clientList().lines().filter(line -> !line.isBlank()).count();
    }

    @Test
    void rule7TenThousandContendedNamesNeedTwoConnectionsAndAllAreServed() throws Exception {
        String prefix = Topology.name("job");
        List<CompletableFuture<Lease>> held = acquireAll(there, prefix, LockOptions.DEFAULTS);
        for (CompletableFuture<Lease> lease : held) {
            lease.get(20, TimeUnit.SECONDS);
        }
        long before = connections();
        Interlock waiting = Topology.connect(server);
        List<CompletableFuture<Lease>> queued = acquireAll(waiting, prefix, LockOptions.DEFAULTS);
        Awaitility.await()
                .pollInterval(Duration.ofMillis(200))
                .atMost(LONG)
                .until(() ->
                        there.lock(prefix + (MANY - 1)).owner().orElseThrow().waiting() == 1);
        assertThat(connections() - before).isLessThanOrEqualTo(2);
        held.forEach(lease -> lease.join().async().release());
        for (CompletableFuture<Lease> lease : queued) {
            assertThat(lease.get(20, TimeUnit.SECONDS).isValid()).isTrue();
        }
        queued.forEach(lease -> lease.join().async().release());
        Awaitility.await()
                .pollInterval(Duration.ofMillis(200))
                .atMost(LONG)
                .until(() -> redis.eval(
                                "return #redis.call('KEYS', ARGV[1] .. '*')",
                                io.lettuce.core.ScriptOutputType.INTEGER,
                                new String[0],
                                "interlock:lock:{" + prefix)
                        .equals((long) MANY));
        waiting.close();
    }

    @Test
    void rule4TenThousandLeasesAreRenewedInFewCalls() throws Exception {
        String prefix = Topology.name("job");
        Calls calls = new Calls();
        try (Interlock holder = Interlock.builder()
                .uri(server.uris())
                .commandTimeout(Topology.PATIENCE)
                .listener(calls)
                .build()) {
            List<CompletableFuture<Lease>> held = acquireAll(holder, prefix, leased(Duration.ofSeconds(12)));
            AtomicInteger lost = new AtomicInteger();
            for (CompletableFuture<Lease> lease : held) {
                lease.get(20, TimeUnit.SECONDS).onLost(lost::incrementAndGet);
            }
            Awaitility.await()
                    .pollInterval(Duration.ofMillis(200))
                    .atMost(LONG)
                    .until(() -> held.stream()
                                    .allMatch(lease -> lease.join().validFor().toMillis() > 7_500)
                            && calls.of("lock/renew") > MANY / 256);
            assertThat(calls.of("lock/renew")).isLessThan(MANY / 10);
            assertThat(lost).hasValue(0);
            held.forEach(lease -> lease.join().async().release());
            Awaitility.await().atMost(LONG).until(() -> redis.exists(key(prefix + (MANY - 1))) == 0);
        }
    }
}
