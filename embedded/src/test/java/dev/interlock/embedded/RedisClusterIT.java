// SPDX-License-Identifier: Apache-2.0
package dev.interlock.embedded;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

class RedisClusterIT {
    private static RedisCluster cluster;

    @BeforeAll
    static void start() {
        cluster = RedisCluster.start();
    }

    @AfterEach
    void isHealthy() {
        cluster.awaitHealthy();
    }

    @AfterAll
    static void stop() {
        List<RedisServer> nodes = cluster.nodes();
        cluster.close();
        assertThat(nodes).noneMatch(RedisServer::isAlive);
    }

    @Test
    void hasThreeMastersWithAllSlotsAndAReplicaEach() {
        List<RedisServer> masters = cluster.masters();
        assertThat(cluster.uris()).hasSameSizeAs(cluster.nodes());
        assertThat(masters).hasSize(3);
        Set<RedisServer> all = new HashSet<>(masters);
        for (RedisServer master : masters) {
            List<RedisServer> replicas = cluster.replicasOf(master);
            assertThat(replicas).hasSize(1);
            assertThat(cluster.replicasOf(replicas.get(0))).isEmpty();
            all.addAll(replicas);
        }
        assertThat(all).hasSize(6);
        assertThat(List.of(cluster.masterOf(0), cluster.masterOf(8_000), cluster.masterOf(16_383)))
                .containsExactlyInAnyOrderElementsOf(masters);
        assertThat(cluster.slotOf("{b}")).isEqualTo(3300);
        assertThat(cluster.masterOf(3300).command("SET", "b", "1")).containsExactly("+OK");
    }

    @Test
    void aReplicaTakesOverWithoutLosingAWrite() {
        RedisServer before = cluster.masterOf(cluster.slotOf("kept"));
        RedisServer replica = cluster.replicasOf(before).get(0);
        before.command("SET", "kept", "1");
        cluster.failOver(replica);
        assertThat(cluster.masterOf(cluster.slotOf("kept"))).isSameAs(replica);
        assertThat(replica.command("GET", "kept")).containsExactly("1");
        cluster.awaitHealthy();
        assertThat(cluster.replicasOf(replica)).containsExactly(before);
    }

    @Test
    void aReplicaReplacesAKilledMasterThatComesBackAsItsReplica() {
        RedisServer killed = cluster.masterOf(0);
        RedisServer replica = cluster.replicasOf(killed).get(0);
        killed.kill();
        Awaitility.await().until(() -> cluster.masters().contains(replica));
        assertThat(cluster.masters()).doesNotContain(killed).hasSize(3);
        killed.restart();
        cluster.awaitHealthy();
        assertThat(cluster.replicasOf(replica)).containsExactly(killed);
    }

    @Test
    void aSlotMovesWithItsKeysAndMeetsAskOnTheWay() {
        RedisServer from = cluster.masterOf(cluster.slotOf("{m}"));
        RedisServer to = cluster.masters().stream()
                .filter(node -> node != from)
                .findFirst()
                .orElseThrow();
        for (int i = 0; i < 250; i++) {
            from.command("SET", "{m} with blanks é".replace("é", "\u00e9") + i, "" + i);
        }
        try (SlotMove move = cluster.startMove(cluster.slotOf("{m}"), to)) {
            move.key("{m} with blanks \u00e90");
            move.key("{m}none");
            assertThat(from.command("GET", "{m} with blanks \u00e90").get(0)).startsWith("-ASK");
            assertThat(from.command("MGET", "{m} with blanks \u00e90", "{m} with blanks \u00e91")
                            .get(0))
                    .startsWith("-TRYAGAIN");
        }
        assertThat(cluster.masterOf(cluster.slotOf("{m}"))).isSameAs(to);
        assertThat(to.command("GET", "{m} with blanks \u00e9249")).containsExactly("249");
        assertThat(from.command("GET", "{m}").get(0)).startsWith("-MOVED");
        cluster.moveSlot(cluster.slotOf("{m}"), from);
        assertThat(cluster.masterOf(cluster.slotOf("{m}"))).isSameAs(from);
    }

    @Test
    void aNewMasterJoinsAndTakesASlot() {
        RedisServer added = cluster.addMaster();
        assertThat(cluster.masters()).doesNotContain(added);
        RedisServer before = cluster.masterOf(77);
        cluster.moveSlot(77, added);
        assertThat(cluster.masterOf(77)).isSameAs(added);
        cluster.moveSlot(77, before);
    }

    @Test
    void refusesWhatCannotWork() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> RedisCluster.builder().masters(2));
        assertThatIllegalArgumentException()
                .isThrownBy(() -> RedisCluster.builder().replicasPerMaster(-1));
        assertThatThrownBy(() -> cluster.failOver(cluster.masterOf(0)))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("follows no living master");
    }
}
