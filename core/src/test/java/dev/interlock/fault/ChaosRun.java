// SPDX-License-Identifier: Apache-2.0
package dev.interlock.fault;

import static org.assertj.core.api.Assertions.assertThat;

import dev.interlock.embedded.RedisCluster;
import dev.interlock.embedded.RedisServer;
import dev.interlock.fault.Traffic.Jvms;
import io.lettuce.core.cluster.SlotHash;
import java.time.Duration;
import java.util.List;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** Row 52: random faults for minutes, one after the other; run by the profile "chaos" only. */
class ChaosRun {
    private final long seed = Long.getLong("chaos.seed", System.nanoTime());
    private final Random random = new Random(seed);

    @Test
    void allInvariantsHoldThroughRandomFaults() {
        long end = System.nanoTime() + TimeUnit.MINUTES.toNanos(Long.getLong("chaos.minutes", 10));
        try (RedisCluster cluster = RedisCluster.start()) {
            List<String> tags = Faults.tags(cluster);
            try (Jvms jvms = Jvms.connect(Duration.ofMillis(200), cluster.uris());
                    Traffic traffic = Traffic.start(new History("chaos", seed), jvms, tags)) {
                int faults = 0;
                for (; System.nanoTime() < end; faults++) {
                    inject(cluster, traffic.history, SlotHash.getSlot(tags.get(random.nextInt(tags.size()))));
                    Faults.heal(cluster.nodes());
                    cluster.awaitHealthy();
                    traffic.awaitSuccessOfAll();
                }
                traffic.finish(false);
                traffic.metTrouble();
                assertThat(faults).isGreaterThan(5);
                System.out.println(faults + " faults, longest gap " + traffic.longestGap());
            }
        }
    }

    private void inject(RedisCluster cluster, History history, int slot) {
        RedisServer master = cluster.masterOf(slot);
        int kind = random.nextInt(6);
        history.fault("kind " + kind + " at " + master);
        switch (kind) {
            case 0 -> cluster.failOver(cluster.replicasOf(master).get(0));
            case 1 -> {
                master.kill();
                // One that came back before it was replaced would be a master without data, and its replica lose them
                // too.
                Faults.timeUntil(() -> cluster.masterOf(slot) != master);
                Faults.pause(Duration.ofMillis(random.nextInt(2_000)));
            }
            case 2 -> {
                master.pause();
                Faults.pause(Duration.ofMillis(200 + random.nextInt(4_000)));
            }
            case 3 -> {
                master.expectOk("SCRIPT", "FLUSH");
                master.expectOk("FUNCTION", "FLUSH");
            }
            case 4 -> {
                List<RedisServer> masters = cluster.masters();
                RedisServer to = masters.get(random.nextInt(masters.size()));
                if (to != master) {
                    cluster.moveSlot(slot, to);
                }
            }
            default -> master.command("CLIENT", "KILL", "TYPE", "normal");
        }
    }
}
