// SPDX-License-Identifier: Apache-2.0
package dev.interlock.fault;

import static org.assertj.core.api.Assertions.assertThat;

import dev.interlock.embedded.RedisCluster;
import dev.interlock.embedded.RedisServer;
import dev.interlock.embedded.SlotMove;
import dev.interlock.fault.Traffic.Jvms;
import io.lettuce.core.cluster.SlotHash;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.function.Consumer;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** All primitives on a cluster of three masters and three replicas, under traffic, while its nodes fail over, die and move. */
class ClusterFaultIT {
    /** How long clients may need to notice what the cluster has decided. */
    private static final Duration NOTICED = Duration.ofSeconds(2);

    private static final Duration DEFAULT = Duration.ofMillis(200);
    private static final Duration PATIENT = Duration.ofSeconds(5);

    private static RedisCluster cluster;
    private final long seed = System.nanoTime();
    private final Random random = new Random(seed);

    @BeforeAll
    static void start() {
        cluster = RedisCluster.start();
    }

    @AfterAll
    static void stop() {
        cluster.close();
    }

    @AfterEach
    void isHealthyAgain() {
        Faults.heal(cluster.nodes());
        cluster.awaitHealthy();
    }

    private static List<String> tags() {
        return Faults.tags(cluster);
    }

    private <T> T any(List<T> list) {
        return list.get(random.nextInt(list.size()));
    }

    private static boolean isReplaced(int slot, RedisServer master) {
        return cluster.masterOf(slot) != master;
    }

    private History history(String run) {
        return new History("cluster-" + run, seed);
    }

    /** Rows 17 and 14: whoever fails over in an orderly way, and forgets its scripts, costs no caller more than a moment. */
    @Test
    void failOversOnDemandAreNotNoticed() {
        List<String> tags = tags();
        try (Jvms jvms = Jvms.connect(PATIENT, cluster.uris());
                Traffic traffic = Traffic.start(history("fail-over"), jvms, tags)) {
            for (int i = 0; i < 3; i++) {
                RedisServer master = any(cluster.masters());
                RedisServer replica = cluster.replicasOf(master).get(0);
                traffic.history.fault("fail-over from " + master + " to " + replica);
                cluster.failOver(replica);
                RedisServer forgetful = any(cluster.masters());
                traffic.history.fault("flush of the scripts of " + forgetful);
                forgetful.expectOk("SCRIPT", "FLUSH");
                forgetful.expectOk("FUNCTION", "FLUSH");
                traffic.awaitSuccessOfAll();
                cluster.awaitHealthy();
            }
            traffic.finish(true);
            traffic.metNoTrouble();
        }
    }

    /** Row 18. */
    @Test
    void aKilledMasterIsSurvivedWithinTheTimeOfItsFailOver() {
        isReplacedUnderTraffic("kill", RedisServer::kill, RedisServer::restart);
    }

    /** Rows 18 and 20: a master that was stopped for longer than the others wait for it, and then goes on. */
    @Test
    void aPausedMasterIsReplacedAndDecidesNothingWhenItGoesOn() {
        isReplacedUnderTraffic("pause", RedisServer::pause, RedisServer::resume);
    }

    /** Runs a fault that ends in another master, and checks that everybody follows in time. */
    private void isReplacedUnderTraffic(String run, Consumer<RedisServer> fault, Consumer<RedisServer> end) {
        List<String> tags = tags();
        try (Jvms jvms = Jvms.connect(DEFAULT, cluster.uris());
                Traffic traffic = Traffic.start(history(run), jvms, tags)) {
            int slot = SlotHash.getSlot(any(tags));
            RedisServer master = cluster.masterOf(slot);
            traffic.history.fault(run + " of " + master);
            fault.accept(master);
            Duration failOver = Faults.timeUntil(() -> isReplaced(slot, master));
            traffic.history.fault("new master after " + failOver);
            traffic.awaitSuccessOfAll();
            end.accept(master);
            traffic.history.fault("end");
            cluster.awaitHealthy();
            traffic.finish(false);
            traffic.metTrouble();
            traffic.recoveredWithin(failOver.plus(NOTICED));
        }
    }

    /** Rows 23 and 24: slots move with their keys, to a master that is new and has no script. */
    @Test
    void slotsMoveToANewMasterUnderTraffic() {
        List<String> tags = tags();
        RedisServer added = cluster.addMaster();
        Map<RedisServer, Integer> homes = new HashMap<>();
        try (Jvms jvms = Jvms.connect(PATIENT, cluster.uris());
                Traffic traffic = Traffic.start(history("slots"), jvms, tags)) {
            for (String tag : tags) {
                int slot = SlotHash.getSlot(tag);
                RedisServer from = cluster.masterOf(slot);
                homes.put(from, slot);
                traffic.history.fault("slot " + slot + " moves from " + from + " to " + added);
                try (SlotMove move = cluster.startMove(slot, added)) {
                    Faults.pause(Duration.ofMillis(100));
                    move.someKeys(3);
                    Faults.pause(Duration.ofMillis(100));
                }
                traffic.awaitSuccessOfAll();
            }
            homes.forEach((master, slot) -> cluster.moveSlot(slot, master));
            traffic.finish(true);
            traffic.metNoTrouble();
        }
    }

    /** Row 22: without a majority nothing is decided, which is told at once; it ends by itself. */
    @Test
    void withoutAMajorityCallsFailFastAndRecoverAlone() {
        List<String> tags = tags();
        try (Jvms jvms = Jvms.connect(DEFAULT, cluster.uris());
                Traffic traffic = Traffic.start(history("majority"), jvms, tags)) {
            List<RedisServer> paused = List.copyOf(cluster.masters().subList(0, 2));
            RedisServer left = cluster.masters().get(2);
            paused.forEach(RedisServer::pause);
            traffic.history.fault("pause of " + paused);
            Faults.timeUntil(() -> left.command("CLUSTER", "INFO").get(0).contains("cluster_state:fail"));
            traffic.history.fault("cluster down");
            long down = System.nanoTime();
            Faults.pause(Duration.ofMillis(500));
            long up = System.nanoTime();
            paused.forEach(RedisServer::resume);
            traffic.history.fault("resume");
            cluster.awaitHealthy();
            traffic.finish(false);
            traffic.metTrouble();
            assertThat(traffic.history.calls().filter(call -> call.start() > down && call.end() < up))
                    .isNotEmpty()
                    // Of all answers only one needs no server: that a limiter has nothing left before a known moment.
                    .noneMatch(call ->
                            call.phase() == History.Phase.OK && !call.result().equals("denied"))
                    .allMatch(call ->
                            call.end() - call.start() < Duration.ofSeconds(2).toNanos());
        }
    }
}
