// SPDX-License-Identifier: Apache-2.0
package dev.interlock.embedded;

import java.util.List;
import java.util.function.Predicate;

/** Makes a cluster of servers that know nothing of each other, by the steps that {@code redis-cli --cluster create} takes. */
final class ClusterFormation {
    private ClusterFormation() {}

    /** Shares the slots among the first nodes and gives each of these the same number of replicas. */
    static void form(List<RedisServer> nodes, int masters) {
        for (int i = 0; i < nodes.size(); i++) {
            RedisServer node = nodes.get(i);
            // Else all claim their slots with epoch 0, and settling that costs them seconds.
            node.expectOk("CLUSTER", "SET-CONFIG-EPOCH", "" + (i + 1));
            if (i < masters) {
                String first = "" + ClusterView.SLOTS * i / masters;
                String last = "" + (ClusterView.SLOTS * (i + 1) / masters - 1);
                node.expectOk("CLUSTER", "ADDSLOTSRANGE", first, last);
            }
            meet(nodes.subList(0, i), node);
        }
        awaitView(nodes, "meeting of the nodes", view -> view.nodes().size() == nodes.size());
        for (int i = masters; i < nodes.size(); i++) {
            nodes.get(i)
                    .expectOk(
                            "CLUSTER", "REPLICATE", self(nodes.get(i % masters)).id());
        }
        awaitView(nodes, "knowledge of who is a master", view -> view.masters() == masters);
        awaitHealthy(nodes);
    }

    private static void awaitView(List<RedisServer> nodes, String what, Predicate<ClusterView> seen) {
        for (RedisServer node : nodes) {
            Nodes.await(what, () -> ClusterView.of(node).filter(seen).isPresent(), node);
        }
    }

    /** Has every known node greet the new one, which is faster than to wait for their gossip. */
    static void meet(List<RedisServer> known, RedisServer added) {
        String busPort = "" + self(added).busPort();
        for (RedisServer node : known) {
            if (node != added) {
                node.expectOk("CLUSTER", "MEET", "127.0.0.1", "" + added.port(), busPort);
            }
        }
    }

    static void awaitHealthy(List<RedisServer> nodes) {
        for (RedisServer node : nodes) {
            Nodes.await("health of the cluster as " + node + " sees it", () -> isHealthy(node), node);
        }
        for (RedisServer node : nodes) {
            Nodes.await("agreement on the role of " + node, () -> isKnown(node, nodes), node);
        }
    }

    /** Whether all know a node for what it is; one that has come back is believed to be dead, or a master, for a while. */
    private static boolean isKnown(RedisServer node, List<RedisServer> by) {
        return ClusterView.of(node)
                .map(ClusterView::self)
                .filter(self -> ClusterView.agree(
                        by,
                        view -> view.at(node.port())
                                .filter(known ->
                                        !known.failed() && known.masterId().equals(self.masterId()))
                                .isPresent()))
                .isPresent();
    }

    private static boolean isHealthy(RedisServer node) {
        String cluster = node.ask("CLUSTER INFO");
        return cluster.contains("cluster_state:ok\r\n")
                && cluster.contains("cluster_slots_ok:" + ClusterView.SLOTS + "\r\n")
                && (node.ask("INFO replication").contains("role:master\r\n") || node.followsItsMaster());
    }

    private static ClusterView.Node self(RedisServer node) {
        return ClusterView.of(node).orElseThrow().self();
    }
}
