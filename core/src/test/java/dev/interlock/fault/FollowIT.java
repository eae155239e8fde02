// SPDX-License-Identifier: Apache-2.0
package dev.interlock.fault;

import static org.assertj.core.api.Assertions.assertThat;

import dev.interlock.Interlock;
import dev.interlock.Topology;
import dev.interlock.embedded.RedisCluster;
import dev.interlock.embedded.RedisServer;
import dev.interlock.embedded.SlotMove;
import dev.interlock.lock.Lease;
import dev.interlock.lock.LockOptions;
import dev.interlock.pool.Outbox;
import dev.interlock.pool.Pool;
import dev.interlock.pool.PoolConfig;
import io.lettuce.core.cluster.SlotHash;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.Collectors;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** What is bound to one node of a cluster, such as pushes and streams that are read, goes with its master. */
class FollowIT {
    private static final Duration LONG = Duration.ofSeconds(20);

    private static RedisCluster cluster;
    private static Interlock here;
    private static Interlock there;

    @BeforeAll
    static void start() {
        cluster = RedisCluster.builder().nodeTimeout(Duration.ofSeconds(5)).start();
        here = Interlock.builder()
                .uri(cluster.uris())
                .commandTimeout(Topology.PATIENCE)
                .build();
        there = Interlock.builder()
                .uri(cluster.uris())
                .commandTimeout(Topology.PATIENCE)
                .build();
    }

    @AfterAll
    static void stop() {
        here.close();
        there.close();
        cluster.close();
    }

    private static RedisServer masterOf(String name) {
        return cluster.masterOf(SlotHash.getSlot(name));
    }

    private static void failOver(String name) {
        cluster.failOver(cluster.replicasOf(masterOf(name)).get(0));
        cluster.awaitHealthy();
    }

    private static String key(String name) {
        return "interlock:lock:{" + name + "}";
    }

    /** The deletion is told by the node that is master now: with a lease this long nothing else would tell in time. */
    @Test
    void theLossOfALeaseIsToldAlsoAfterAFailOver() {
        String name = Topology.name("job");
        Lease lease = here.lock(name, LockOptions.DEFAULTS.withLeaseTime(Duration.ofMinutes(10)))
                .tryAcquire()
                .orElseThrow();
        AtomicBoolean lost = new AtomicBoolean();
        lease.onLost(() -> lost.set(true));
        failOver(name);
        // The renewal of this lease is minutes away, so that only a push can tell; it must have moved by then.
        Faults.pause(Duration.ofSeconds(1));
        assertThat(lease.isValid()).isTrue();
        masterOf(name).command("DEL", key(name));
        Awaitility.await().atMost(Duration.ofSeconds(1)).untilTrue(lost);
        assertThat(lease.isValid()).isFalse();
    }

    @Test
    void aWaiterIsHandedTheLockThroughAFailOver() throws Exception {
        String name = Topology.name("job");
        Lease first = there.lock(name).tryAcquire().orElseThrow();
        CompletableFuture<Lease> second = here.lock(name).async().acquire(LONG).toCompletableFuture();
        failOver(name);
        first.release();
        Lease next = second.get(15, TimeUnit.SECONDS);
        assertThat(next.fence()).isGreaterThan(first.fence());
        next.close();
    }

    @Test
    void anOutboxIsReadOnAfterAFailOver() {
        String name = Topology.name("sale");
        Pool pool = here.pool(name);
        pool.create(PoolConfig.of(10));
        try (Outbox outbox = pool.outbox()) {
            String last = outbox.read(Outbox.START, 10, Duration.ZERO).get(0).id();
            failOver(name);
            pool.issue("a", "r");
            Awaitility.await()
                    .atMost(Duration.ofSeconds(5))
                    .ignoreExceptions()
                    .until(() -> outbox.read(last, 10, Duration.ofMillis(100)).size() == 1);
        }
    }

    /** While a slot moves, a script must not touch a key again that it has emptied: Redis would end it half-way. */
    @Test
    void noScriptEndsHalfWayWhileItsSlotMoves() throws Exception {
        String name = Topology.name("job");
        RedisServer from = masterOf(name);
        RedisServer to = cluster.masters().stream()
                .filter(node -> node != from)
                .findFirst()
                .orElseThrow();
        Lease held = there.lock(name).tryAcquire().orElseThrow();
        CompletableFuture<Lease> waiter = here.lock(name).async().acquire(LONG).toCompletableFuture();
        Lease permit = there.semaphore(name, 1).tryAcquire().orElseThrow();
        CompletableFuture<Lease> other =
                here.semaphore(name, 1).async().acquire(LONG).toCompletableFuture();
        Awaitility.await()
                .atMost(LONG)
                .until(() -> from.command("CLUSTER", "COUNTKEYSINSLOT", "" + SlotHash.getSlot(name))
                        .get(0)
                        .equals(":8"));
        Lease next;
        Lease nextPermit;
        SlotMove move = cluster.startMove(SlotHash.getSlot(name), to);
        held.release();
        permit.release();
        next = waiter.get(15, TimeUnit.SECONDS);
        move.close();
        nextPermit = other.get(15, TimeUnit.SECONDS);
        assertThat(next.fence()).isGreaterThan(held.fence());
        assertThat(nextPermit.fence()).isGreaterThan(permit.fence());
        next.close();
        nextPermit.close();
        cluster.moveSlot(SlotHash.getSlot(name), from);
    }

    /** Row 25: whoever decides never asks a replica, which may not know yet. */
    @Test
    void noReplicaIsEverAsked() {
        List<RedisServer> replicas = cluster.masters().stream()
                .flatMap(master -> cluster.replicasOf(master).stream())
                .toList();
        replicas.forEach(replica -> replica.expectOk("CONFIG", "RESETSTAT"));
        for (int i = 0; i < 50; i++) {
            String name = Topology.name("n");
            here.lock(name).tryAcquire().orElseThrow().close();
            here.stock(name).initialize(5);
            here.stock(name).take(1, "r");
            assertThat(here.stock(name).available()).hasValue(4);
            assertThat(here.value(name).get()).isEmpty();
            here.pool(name).create(PoolConfig.of(5));
            assertThat(here.pool(name).state()).isPresent();
        }
        for (RedisServer replica : replicas) {
            assertThat(String.join("\n", replica.command("INFO", "commandstats")))
                    .doesNotContain(
                            "cmdstat_evalsha", "cmdstat_fcall", "cmdstat_get:", "cmdstat_hmget", "cmdstat_mget");
        }
    }

    /** Case L3. */
    @Test
    void leasesOnOtherNodesLoseNothingWhileOneHangs() {
        Duration time = Duration.ofMillis(1_500);
        Duration renewal = time.dividedBy(3);
        List<Lease> leases = new ArrayList<>();
        for (int i = 0; i < 200; i++) {
            String name = Topology.name("l3");
            leases.add(here.lock(name, LockOptions.DEFAULTS.withLeaseTime(time))
                    .tryAcquire()
                    .orElseThrow());
        }
        RedisServer paused = masterOf(leases.get(0).name());
        List<Lease> others = leases.stream()
                .filter(lease -> masterOf(lease.name()) != paused)
                .toList();
        assertThat(others).hasSizeBetween(1, 199);
        paused.pause();
        try {
            Duration pause = renewal.multipliedBy(6).dividedBy(5);
            long end = System.nanoTime() + pause.toNanos();
            Awaitility.await().atMost(LONG).pollInterval(Duration.ofMillis(20)).until(() -> {
                others.forEach(lease -> assertThat(lease.isValid()).isTrue());
                return System.nanoTime() > end;
            });
        } finally {
            paused.resume();
        }
        Faults.pause(time);
        assertThat(others).allMatch(Lease::isValid);
        // Whoever lapsed meanwhile may be taken again, and is renewed again.
        List<Lease> again = leases.stream()
                .map(lease -> lease.isValid()
                        ? lease
                        : here.lock(lease.name(), LockOptions.DEFAULTS.withLeaseTime(time))
                                .tryAcquire()
                                .orElseThrow())
                .collect(Collectors.toList());
        Faults.pause(time.plus(renewal));
        assertThat(again).allMatch(Lease::isValid);
        again.forEach(
                lease -> assertThat(lease.release()).isInstanceOf(dev.interlock.lock.ReleaseResult.Released.class));
    }
}
