// SPDX-License-Identifier: Apache-2.0
package dev.interlock.embedded;

import dev.interlock.embedded.RedisServer.Role;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Predicate;
import java.util.stream.Stream;

/**
 * A real Redis Cluster on 127.0.0.1 for demos and tests: by default three masters with one replica each, ready in about
 * three seconds (of which Redis itself waits two before a new cluster takes writes).
 *
 * <p>Every node is a {@link RedisServer}: kill, pause, resume and restart it there. Who is master is asked of the cluster
 * itself. Nothing is left behind, also when this JVM is killed. Whoever started it closes it. Thread-safe.
 */
public final class RedisCluster implements AutoCloseable {
    private final Builder settings;
    private final List<RedisServer> nodes = new CopyOnWriteArrayList<>();
    private final FailOvers failOvers;

    private RedisCluster(Builder settings) {
        this.settings = settings;
        this.failOvers = new FailOvers(this::living, settings.nodeTimeout);
        nodes.addAll(Nodes.start(settings.members(settings.masters * (1 + settings.replicas))));
        try {
            ClusterFormation.form(nodes, settings.masters);
        } catch (RuntimeException e) {
            close();
            throw e;
        }
    }

    /**
     * Starts three masters with one replica each.
     *
     * @return the cluster, ready for commands
     */
    public static RedisCluster start() {
        return builder().start();
    }

    /** {@return a builder for a cluster with other settings} */
    public static Builder builder() {
        return new Builder();
    }

    /** {@return the addresses of all nodes that were started, dead ones included} */
    public String[] uris() {
        return nodes.stream().map(RedisServer::uri).toArray(String[]::new);
    }

    /** {@return all nodes that were started, dead ones included} */
    public List<RedisServer> nodes() {
        return List.copyOf(nodes);
    }

    /** {@return the nodes that are masters with slots now and are not believed to be dead} */
    public List<RedisServer> masters() {
        return view().nodes().stream()
                .filter(node ->
                        node.isMaster() && !node.failed() && !node.ranges().isEmpty())
                .map(node -> at(node.port()))
                .toList();
    }

    /**
     * Who serves a slot now.
     *
     * @param slot 0 to 16383
     * @return the master
     * @throws IllegalStateException while nobody does
     */
    public RedisServer masterOf(int slot) {
        return view().owner(slot)
                .map(node -> at(node.port()))
                .orElseThrow(() -> new IllegalStateException("Nobody serves slot " + slot));
    }

    /**
     * Who follows a master now.
     *
     * @param master a node
     * @return its replicas that are not believed to be dead; none if it is no master
     */
    public List<RedisServer> replicasOf(RedisServer master) {
        ClusterView view = view();
        String id = idOf(view, master);
        return view.nodes().stream()
                .filter(node -> node.masterId().equals(id) && !node.failed())
                .map(node -> at(node.port()))
                .toList();
    }

    /** {@return the slot of a key, 0 to 16383} */
    public int slotOf(String key) {
        return Integer.parseInt(
                living().get(0).command("CLUSTER", "KEYSLOT", key).get(0).substring(1));
    }

    /**
     * Makes a replica the master of its slots without losing a write, and waits until every living node knows. If it became a
     * master in this way before, Redis wants some four seconds to have passed since; this waits for the rest of them.
     *
     * @param replica a replica whose master lives
     * @throws IllegalStateException when it does not become a master
     */
    public void failOver(RedisServer replica) {
        RedisServer master = nodes.stream()
                .filter(node -> replicasOf(node).contains(replica))
                .findFirst()
                .orElseThrow(() -> new IllegalStateException(replica + " follows no living master"));
        failOvers.run(replica, master);
    }

    /**
     * Starts another master, which serves no slot yet.
     *
     * @return the new node; every living one knows it
     */
    public RedisServer addMaster() {
        RedisServer added = Nodes.start(settings.members(1)).get(0);
        nodes.add(added);
        ClusterFormation.meet(living(), added);
        // It must know the epochs of the others first, or they would not believe its claim to a slot.
        awaitAgreement("joining of " + added, view -> view.at(added.port()).isPresent());
        awaitHealthy();
        return added;
    }

    /**
     * Moves a slot with its keys, while clients use them.
     *
     * @param slot 0 to 16383
     * @param to the master that is to serve it
     */
    public void moveSlot(int slot, RedisServer to) {
        startMove(slot, to).close();
    }

    /**
     * Begins to move a slot: from now on its keys may be on both sides, and clients meet ASK and TRYAGAIN.
     *
     * @param slot 0 to 16383
     * @param to the master that is to serve it
     * @return the move; closing it ends it
     */
    public SlotMove startMove(int slot, RedisServer to) {
        ClusterView view = view();
        RedisServer from = masterOf(slot);
        to.expectOk("CLUSTER", "SETSLOT", "" + slot, "IMPORTING", idOf(view, from));
        from.expectOk("CLUSTER", "SETSLOT", "" + slot, "MIGRATING", idOf(view, to));
        return new SlotMove(this, slot, from, to);
    }

    /** The end of a move: the new owner first, so that no node ever sends clients to one that refuses them. */
    void finishMove(int slot, RedisServer from, RedisServer to) {
        String id = idOf(view(), to);
        to.expectOk("CLUSTER", "SETSLOT", "" + slot, "NODE", id);
        from.expectOk("CLUSTER", "SETSLOT", "" + slot, "NODE", id);
        awaitAgreement(
                "move of slot " + slot,
                view -> view.owner(slot).filter(node -> node.id().equals(id)).isPresent());
    }

    /**
     * Waits at most 30 s until every living node says that all slots are served and knows all living nodes for what they are,
     * and the replicas follow.
     */
    public void awaitHealthy() {
        ClusterFormation.awaitHealthy(living());
    }

    /** Ends all nodes and deletes their files. */
    @Override
    public void close() {
        Nodes.close(nodes);
    }

    private void awaitAgreement(String what, Predicate<ClusterView> seen) {
        Nodes.await(what, () -> ClusterView.agree(living(), seen), nodes.get(0));
    }

    private ClusterView view() {
        return ClusterView.latest(living());
    }

    private List<RedisServer> living() {
        return nodes.stream().filter(RedisServer::isAlive).toList();
    }

    private RedisServer at(int port) {
        return nodes.stream().filter(node -> node.port() == port).findFirst().orElseThrow();
    }

    private static String idOf(ClusterView view, RedisServer node) {
        return view.at(node.port()).orElseThrow().id();
    }

    /** Settings of a {@link RedisCluster}. Not thread-safe. */
    public static final class Builder {
        private final List<String[]> directives = new ArrayList<>();
        private int masters = 3;
        private int replicas = 1;
        private Duration nodeTimeout = Duration.ofSeconds(1);

        private Builder() {}

        /**
         * How many masters share the slots; 3 by default.
         *
         * @param masters at least 3, or no majority could outvote a dead one
         * @return this builder
         * @throws IllegalArgumentException for fewer
         */
        public Builder masters(int masters) {
            if (masters < 3) {
                throw new IllegalArgumentException("masters must be at least 3, was " + masters);
            }
            this.masters = masters;
            return this;
        }

        /**
         * How many replicas each master has; 1 by default.
         *
         * @param replicas 0 or more
         * @return this builder
         * @throws IllegalArgumentException for a negative number
         */
        public Builder replicasPerMaster(int replicas) {
            if (replicas < 0) {
                throw new IllegalArgumentException("replicas must not be negative, was " + replicas);
            }
            this.replicas = replicas;
            return this;
        }

        /**
         * After which silence a node is believed to be dead; 1 s by default. A replica takes over about as long again later.
         *
         * @param nodeTimeout at least 100 ms
         * @return this builder
         */
        public Builder nodeTimeout(Duration nodeTimeout) {
            this.nodeTimeout = nodeTimeout;
            return this;
        }

        /**
         * Adds a line to the redis.conf of every node.
         *
         * @param key the directive
         * @param value its arguments
         * @return this builder
         */
        public Builder config(String key, String value) {
            directives.add(new String[] {key, value});
            return this;
        }

        /**
         * Starts the nodes, all at once, and waits until every one serves.
         *
         * @return the cluster
         * @throws IllegalStateException when no executable is found, or with the end of a log when it does not form
         */
        public RedisCluster start() {
            return new RedisCluster(this);
        }

        private List<RedisServer.Builder> members(int count) {
            return Stream.generate(this::member).limit(count).toList();
        }

        private RedisServer.Builder member() {
            RedisServer.Builder member = RedisServer.builder()
                    .role(Role.CLUSTER_NODE)
                    .config("cluster-node-timeout", "" + nodeTimeout.toMillis())
                    .config("cluster-replica-validity-factor", "0") // a replica may always stand for election
                    .config("cluster-allow-replica-migration", "no") // and stays with its master
                    .config("repl-ping-replica-period", "1");
            directives.forEach(line -> member.config(line[0], line[1]));
            return member;
        }
    }
}
