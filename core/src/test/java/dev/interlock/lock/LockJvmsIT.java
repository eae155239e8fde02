// SPDX-License-Identifier: Apache-2.0
package dev.interlock.lock;

import static org.assertj.core.api.Assertions.assertThat;

import dev.interlock.Interlock;
import dev.interlock.Topology;
import dev.interlock.embedded.FaultProxy;
import io.lettuce.core.KillArgs;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;

/** Locks between JVMs that are killed and stopped, over connections that break, judged by what all of them saw. */
class LockJvmsIT extends LockSetup {
    private static final int NAMES = 2;
    private static final int SECONDS = 10;
    /** How long a holder may believe in a lock that an operator deleted: 100 ms, and more where threads wait for a core. */
    private static final long TOLD_NANOS = TimeUnit.SECONDS.toNanos(2);

    LockJvmsIT() {
        super(Topology.STANDALONE);
    }

    private void queued(String name, long count) {
        Awaitility.await()
                .atMost(LONG)
                .until(() -> here.lock(name).owner().orElseThrow().waiting() == count);
    }

    @Test
    void rule7TheNextInTheQueueFollowsAHeadThatWasKilledWithinTwoSeconds() throws Exception {
        String name = Topology.name("job");
        List<Interlock> jvms = new ArrayList<>();
        List<CompletableFuture<Lease>> waiting = new ArrayList<>();
        try (LockJvm head = new LockJvm("wait", server.alone().uri(), name)) {
            Lease lease = here.lock(name).acquire(LONG);
            head.awaitLine("WAITING");
            queued(name, 1);
            for (int i = 0; i < 3; i++) {
                Interlock jvm = Topology.connect(server);
                jvms.add(jvm);
                waiting.add(jvm.lock(name).async().acquire(LONG).toCompletableFuture());
                queued(name, i + 2);
            }
            head.signal("KILL");
            head.awaitEnd();
            lease.close();
            long released = System.nanoTime();
            for (CompletableFuture<Lease> next : waiting) {
                Lease mine = next.get(10, TimeUnit.SECONDS);
                assertThat(waiting.stream().filter(CompletableFuture::isDone)).hasSize(waiting.indexOf(next) + 1);
                if (next == waiting.get(0)) {
                    assertThat(System.nanoTime() - released).isLessThan(TimeUnit.MILLISECONDS.toNanos(2_000));
                }
                assertThat(mine.fence()).isGreaterThan(lease.fence());
                mine.close();
            }
        } finally {
            jvms.forEach(Interlock::close);
        }
        onlyTheFenceIsLeft(name);
    }

    @Test
    void aHolderThatWasStoppedForTwoLeasesFindsOutBeforeItSendsAnything() throws Exception {
        String name = Topology.name("job");
        try (LockJvm holder = new LockJvm("hold", server.alone().uri(), name, "PT1S")) {
            long fence = Long.parseLong(holder.awaitLine("HELD").split(" ")[1]);
            holder.write();
            assertThat(holder.awaitLine("VALID")).startsWith("VALID");
            holder.signal("STOP");
            Awaitility.await().pollDelay(Duration.ofSeconds(2)).until(() -> true);
            Lease mine = here.lock(name).acquire(LONG);
            assertThat(mine.fence()).isGreaterThan(fence);
            server.alone().pause();
            try {
                holder.signal("CONT");
                holder.write();
                assertThat(holder.awaitLine("LOST")).startsWith("LOST");
            } finally {
                server.alone().resume();
            }
            mine.ensureValid();
            mine.close();
        }
    }

    @Test
    void atMostOneLeaseIsValidAtAnyMomentAndFencesGrowUnderFaults() {
        long seed = System.nanoTime();
        System.out.println("contention under faults, seed " + seed);
        Random random = new Random(seed);
        Map<String, List<Long>> deletions = new HashMap<>();
        List<LockJvm> jvms = new ArrayList<>();
        try (FaultProxy proxy = FaultProxy.to(server.alone().port())) {
            for (int i = 0; i < 3; i++) {
                jvms.add(contender(proxy, seed + 100L * i));
            }
            jvms.forEach(jvm -> jvm.awaitLine("READY"));
            long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(SECONDS - 1);
            for (int round = 0; System.nanoTime() - end < 0; round++) {
                fault(round, random, proxy, jvms, deletions);
                LockSupport.parkNanos(random.nextInt(300_000_000));
                keysAreMortal();
            }
            // The one that was killed says no end.
            jvms.subList(1, jvms.size()).forEach(jvm -> jvm.awaitLine("END"));
            jvms.forEach(LockJvm::awaitEnd);
            assertThat(proxy.faults()).isPositive();
        } finally {
            jvms.forEach(LockJvm::close);
        }
        List<LockHistory.Use> uses = jvms.stream()
                .flatMap(jvm -> jvm.said("USED").stream())
                .map(LockHistory.Use::parse)
                .toList();
        for (int i = 0; i < NAMES; i++) {
            String name = "shared-" + i;
            List<LockHistory.Use> ofOne =
                    uses.stream().filter(use -> use.name().equals(name)).toList();
            assertThat(ofOne).hasSizeGreaterThan(100);
            assertThat(new LockHistory(ofOne, deletions.getOrDefault(name, List.of()), TOLD_NANOS).violations())
                    .isEmpty();
            Awaitility.await().atMost(LONG).until(() -> redis.exists(key(name)) == 0);
            Awaitility.await()
                    .atMost(LONG)
                    .until(() -> redis.keys(key(name) + "*").size() <= 1);
        }
    }

    private static LockJvm contender(FaultProxy proxy, long seed) {
        return new LockJvm(
                "contend", proxy.redisUri(), String.valueOf(NAMES), "3", String.valueOf(SECONDS), String.valueOf(seed));
    }

    private void fault(
            int round, Random random, FaultProxy proxy, List<LockJvm> jvms, Map<String, List<Long>> deletions) {
        switch (round % 7) {
            case 0 -> redis.clientKill(KillArgs.Builder.typeNormal().skipme());
            case 1 -> redis.clientKill(KillArgs.Builder.typePubsub());
            case 2 -> {
                String name = "shared-" + random.nextInt(NAMES);
                deletions.computeIfAbsent(name, none -> new ArrayList<>()).add(System.nanoTime());
                redis.del(key(name));
            }
            case 3 -> proxy.once(FaultProxy.Mode.DROP_REPLY_THEN_FIN);
            case 4 -> proxy.once(FaultProxy.Mode.CUT_BEFORE_REQUEST);
            case 5 -> {
                LockJvm stopped = jvms.get(jvms.size() - 1);
                stopped.signal("STOP");
                LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(1_500));
                stopped.signal("CONT");
            }
            default -> jvms.get(0).close();
        }
    }

    private void keysAreMortal() {
        for (int i = 0; i < NAMES; i++) {
            for (String key : redis.keys(key("shared-" + i) + "*")) {
                assertThat(redis.pttl(key)).as(key).isNotEqualTo(-1);
            }
        }
    }

    @Test
    void aCounterThatNothingElseProtectsEndsExact() throws Exception {
        String name = Topology.name("job");
        String counter = Topology.name("counter");
        redis.set(counter, "0");
        int rounds = 100;
        List<Thread> threads = new ArrayList<>();
        List<Throwable> failures = new CopyOnWriteArrayList<>();
        for (Interlock jvm : List.of(here, there, here, there, here, there)) {
            Thread thread = new Thread(() -> {
                for (int i = 0; i < rounds; i++) {
                    try (Lease lease = jvm.lock(name).acquire(LONG)) {
                        redis.set(counter, String.valueOf(Long.parseLong(redis.get(counter)) + 1));
                        lease.ensureValid();
                    } catch (InterruptedException | RuntimeException e) {
                        failures.add(e);
                    }
                }
            });
            thread.start();
            threads.add(thread);
        }
        for (Thread thread : threads) {
            thread.join(60_000);
        }
        assertThat(failures).isEmpty();
        assertThat(redis.get(counter)).isEqualTo(String.valueOf(threads.size() * rounds));
        onlyTheFenceIsLeft(name);
    }
}
