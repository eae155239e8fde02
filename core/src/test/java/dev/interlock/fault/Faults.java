// SPDX-License-Identifier: Apache-2.0
package dev.interlock.fault;

import dev.interlock.Topology;
import dev.interlock.embedded.RedisCluster;
import dev.interlock.embedded.RedisServer;
import io.lettuce.core.cluster.SlotHash;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BooleanSupplier;
import org.awaitility.Awaitility;

/** What the fault runs share. */
final class Faults {
    private Faults() {}

    /** How long it took; whoever asks may be answered by an exception, as while nobody is master. */
    static Duration timeUntil(BooleanSupplier condition) {
        long begin = System.nanoTime();
        Awaitility.await()
                .pollInterval(Duration.ofMillis(20))
                .atMost(Duration.ofSeconds(30))
                .ignoreExceptions()
                .until(condition::getAsBoolean);
        return Duration.ofNanos(System.nanoTime() - begin);
    }

    /** The length of a fault. */
    static void pause(Duration time) {
        Awaitility.await().pollDelay(time).atMost(time.plusSeconds(10)).until(() -> true);
    }

    /** One tag in the slots of each master. */
    static List<String> tags(RedisCluster cluster) {
        List<String> tags = new ArrayList<>();
        for (RedisServer master : cluster.masters()) {
            String tag = Topology.name("tag");
            while (cluster.masterOf(SlotHash.getSlot(tag)) != master) {
                tag = Topology.name("tag");
            }
            tags.add(tag);
        }
        return tags;
    }

    /** Whatever a run left behind. */
    static void heal(List<RedisServer> nodes) {
        for (RedisServer node : nodes) {
            node.resume();
            if (!node.isAlive()) {
                node.restart();
            }
        }
    }
}
