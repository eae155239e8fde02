// SPDX-License-Identifier: Apache-2.0
package dev.interlock.embedded;

import dev.interlock.embedded.RedisServer.Role;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * A real master with replicas and three sentinels on 127.0.0.1 for demos and tests, ready in about three seconds.
 *
 * <p>Every node is a {@link RedisServer}: kill, pause, resume and restart it there. Who is master is asked of the sentinels,
 * so it is right after any fail-over. Nothing is left behind, also when this JVM is killed. Whoever started it closes it.
 * Thread-safe, but for two fail-overs at the same time.
 */
public final class RedisSentinel implements AutoCloseable {
    private static final String NAME = "interlock";
    /** They greet each other and look at the servers every 2 and 10 s by default. A server that lacks the command is slower. */
    private static final String HURRY =
            "SENTINEL DEBUG PUBLISH-PERIOD 250 INFO-PERIOD 500 ASK-PERIOD 250 PING-PERIOD 250" + " TILT-PERIOD 2000";

    private static final int SENTINELS = 3;
    private static final int QUORUM = 2;

    private final List<RedisServer> nodes = new ArrayList<>();
    private final List<RedisServer> sentinels = new ArrayList<>();

    private RedisSentinel(Builder settings) {
        try {
            nodes.add(settings.member().start());
            RedisServer first = nodes.get(0);
            nodes.addAll(Nodes.start(IntStream.range(0, settings.replicas)
                    .mapToObj(ignored -> settings.member().replicaOf(first))
                    .toList()));
            sentinels.addAll(Nodes.start(IntStream.range(0, SENTINELS)
                    .mapToObj(ignored -> settings.sentinel(first))
                    .toList()));
            sentinels.forEach(sentinel -> sentinel.ask(HURRY));
            awaitHealthy();
        } catch (RuntimeException e) {
            close();
            throw e;
        }
    }

    /**
     * Starts a master, two replicas and three sentinels.
     *
     * @return the servers, ready for commands
     * @throws IllegalStateException when no executable is found or the servers do not find each other
     */
    public static RedisSentinel start() {
        return builder().start();
    }

    /** {@return a builder for other settings} */
    public static Builder builder() {
        return new Builder();
    }

    /** {@return the address of the sentinels, such as {@code redis-sentinel://127.0.0.1:1,127.0.0.1:2,127.0.0.1:3#name}} */
    public String uri() {
        return sentinels.stream()
                .map(sentinel -> "127.0.0.1:" + sentinel.port())
                .collect(Collectors.joining(",", "redis-sentinel://", "#" + NAME));
    }

    /** {@return master and replicas, dead ones included} */
    public List<RedisServer> nodes() {
        return List.copyOf(nodes);
    }

    /** {@return the sentinels, dead ones included} */
    public List<RedisServer> sentinels() {
        return List.copyOf(sentinels);
    }

    /**
     * {@return the master, as the first sentinel that answers believes}
     *
     * @throws IllegalStateException when no sentinel answers
     */
    public RedisServer master() {
        return sentinels.stream()
                .map(RedisSentinel::masterPort)
                .filter(port -> port > 0)
                .findFirst()
                .flatMap(port ->
                        nodes.stream().filter(node -> node.port() == port).findFirst())
                .orElseThrow(() -> new IllegalStateException("No sentinel knows a master"));
    }

    /** {@return all living nodes but the master} */
    public List<RedisServer> replicas() {
        RedisServer master = master();
        return nodes.stream().filter(node -> node != master && node.isAlive()).toList();
    }

    /**
     * Makes a replica the master, as an operator does with SENTINEL FAILOVER, and waits until every living sentinel says so. Writes
     * that the old master took meanwhile are lost.
     *
     * @throws IllegalStateException when no other master comes
     */
    public void failOver() {
        RedisServer before = master();
        Nodes.await("fail-over from " + before, () -> failsOver(before), sentinels.get(0));
        awaitOtherMasterThan(before);
    }

    /** Asks again when sentinels gave up: one that had not yet seen the replica come back may have undone its promotion. */
    private boolean failsOver(RedisServer before) {
        List<RedisServer> living =
                sentinels.stream().filter(RedisServer::isAlive).toList();
        living.get(0).ask("SENTINEL FAILOVER " + NAME);
        return living.stream().anyMatch(sentinel -> masterPort(sentinel) != before.port());
    }

    /**
     * Waits until every living sentinel names another master.
     *
     * @param before the master that was
     * @throws IllegalStateException when that does not come within 30 s
     */
    public void awaitOtherMasterThan(RedisServer before) {
        Nodes.await(
                "another master than " + before,
                () -> sentinels.stream().filter(RedisServer::isAlive).allMatch(sentinel -> {
                    int port = masterPort(sentinel);
                    return port > 0 && port != before.port();
                }),
                sentinels.get(0));
    }

    /**
     * Waits until every living sentinel knows all others and a living master, and every other living node follows that.
     *
     * @throws IllegalStateException when that does not come within 30 s
     */
    public void awaitHealthy() {
        for (RedisServer sentinel :
                sentinels.stream().filter(RedisServer::isAlive).toList()) {
            Nodes.await("health as " + sentinel + " sees it", () -> isHealthy(sentinel), sentinel);
        }
        for (RedisServer replica : replicas()) {
            Nodes.await("replica " + replica, replica::followsItsMaster, replica);
        }
    }

    private boolean isHealthy(RedisServer sentinel) {
        // master0:name=interlock,status=ok,address=127.0.0.1:6379,slaves=2,sentinels=3
        String info = sentinel.ask("INFO sentinel");
        return info.contains("status=ok,")
                && info.contains(",sentinels=" + SENTINELS)
                && info.contains(",slaves=" + (nodes.size() - 1) + ",");
    }

    private static int masterPort(RedisServer sentinel) {
        String reply = sentinel.ask("SENTINEL GET-MASTER-ADDR-BY-NAME " + NAME);
        String[] lines = reply.split("\n", -1);
        return lines.length == 2 ? Integer.parseInt(lines[1]) : 0;
    }

    /** Ends all servers and deletes their files. */
    @Override
    public void close() {
        List<RedisServer> all = new ArrayList<>(sentinels);
        all.addAll(nodes);
        Nodes.close(all);
    }

    /** Settings of a {@link RedisSentinel}. Not thread-safe. */
    public static final class Builder {
        private final List<String[]> directives = new ArrayList<>();
        private int replicas = 2;
        private Duration downAfter = Duration.ofSeconds(1);

        private Builder() {}

        /**
         * How many replicas the master has; 2 by default.
         *
         * @param replicas at least 1
         * @return this builder
         * @throws IllegalArgumentException for fewer
         */
        public Builder replicas(int replicas) {
            if (replicas < 1) {
                throw new IllegalArgumentException("replicas must be at least 1, was " + replicas);
            }
            this.replicas = replicas;
            return this;
        }

        /**
         * After which silence a sentinel believes the master to be dead; 1 s by default.
         *
         * @param downAfter at least 1 ms
         * @return this builder
         */
        public Builder downAfter(Duration downAfter) {
            this.downAfter = downAfter;
            return this;
        }

        /**
         * Adds a line to the redis.conf of master and replicas, not of the sentinels.
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
         * Starts all servers and waits until they know each other.
         *
         * @return the servers, ready for commands
         * @throws IllegalStateException when no executable is found, or with the end of a log when they do not come together
         */
        public RedisSentinel start() {
            return new RedisSentinel(this);
        }

        private RedisServer.Builder member() {
            RedisServer.Builder member = RedisServer.builder().config("repl-ping-replica-period", "1");
            directives.forEach(line -> member.config(line[0], line[1]));
            return member;
        }

        private RedisServer.Builder sentinel(RedisServer master) {
            return RedisServer.builder()
                    .role(Role.SENTINEL)
                    .config("sentinel", "monitor " + NAME + " 127.0.0.1 " + master.port() + " " + QUORUM)
                    .config("sentinel", "down-after-milliseconds " + NAME + " " + downAfter.toMillis())
                    .config("sentinel", "failover-timeout " + NAME + " 5000")
                    .config("sentinel", "parallel-syncs " + NAME + " " + replicas);
        }
    }
}
