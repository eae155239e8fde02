// SPDX-License-Identifier: Apache-2.0
package dev.interlock.embedded;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A real redis-server process for demos and tests, on 127.0.0.1 only: alone, as a replica, or as a node of a
 * {@link RedisCluster} or {@link RedisSentinel}.
 *
 * <p>The executable is, in this order: the one that the environment variable {@code INTERLOCK_REDIS_SERVER} names; Redis
 * 7.0.15 from {@code org.signal:embedded-redis}; {@code redis-server} or {@code valkey-server} on the PATH. The packaged
 * 7.0.15 lacks later security fixes: never let anything but this machine reach it.
 */
public final class RedisServer extends Server {
    private RedisServer(ServerProcess process, Origin origin) {
        super(process, origin);
    }

    /**
     * Starts a server on a free port that keeps everything in memory.
     *
     * @return the server, ready for commands
     * @throws IllegalStateException when no executable is found or the server does not start
     */
    public static RedisServer start() {
        return builder().start();
    }

    /** {@return a builder for a server with other settings} */
    public static Builder builder() {
        return new Builder();
    }

    /** {@return the address, such as {@code redis://127.0.0.1:6379}} */
    public String uri() {
        return "redis://127.0.0.1:" + port();
    }

    /**
     * Sends one command as a client would, on a connection of its own.
     *
     * @param words the command and its arguments
     * @return the elements of the reply, an array flattened; statuses, numbers and errors with their signs, such as
     *     {@code +OK}, {@code :1} and {@code -ERR ...}
     * @throws UncheckedIOException when no reply arrives within 1 s
     */
    public List<String> command(String... words) {
        try {
            return Resp.call(port(), words);
        } catch (IOException e) {
            throw new UncheckedIOException("No reply to " + words[0] + " from " + uri(), e);
        }
    }

    /**
     * Sends a command that must be answered by OK.
     *
     * @param words the command and its arguments
     * @throws IllegalStateException with the answer, if it is another
     */
    public void expectOk(String... words) {
        String reply = command(words).get(0);
        if (!reply.equals("+OK")) {
            throw new IllegalStateException(String.join(" ", words) + " at " + this + ": " + reply);
        }
    }

    /** Whether it is a replica that has its master's data and receives its writes. */
    boolean followsItsMaster() {
        return ask("INFO replication").contains("master_link_status:up\r\n");
    }

    /** The reply to a command whose words hold no blanks, empty while it does not answer. */
    String ask(String command) {
        try {
            return Resp.ask(port(), command);
        } catch (IOException e) {
            return "";
        }
    }

    @Override
    public String toString() {
        return uri();
    }

    /** What a server is to be. */
    enum Role {
        ALONE,
        CLUSTER_OF_ONE,
        CLUSTER_NODE,
        SENTINEL
    }

    /** Settings of a {@link RedisServer}. Not thread-safe. */
    public static final class Builder extends Server.Builder<RedisServer, Builder> {
        private final List<String> directives = new ArrayList<>();
        private Role role = Role.ALONE;
        private @Nullable RedisServer master;

        private Builder() {}

        /**
         * Writes every change to the append-only file before it is answered, so that it survives a crash.
         *
         * @return this builder
         */
        public Builder appendOnly() {
            return config("appendonly", "yes").config("appendfsync", "always");
        }

        /**
         * Makes it a cluster of one node that owns all 16384 slots. Redis itself waits 2 s before such a node is ready.
         *
         * @return this builder
         */
        public Builder clusterEnabled() {
            return role(Role.CLUSTER_OF_ONE);
        }

        /**
         * Makes it a replica, ready when it has the master's data.
         *
         * @param master the running server to follow
         * @return this builder
         */
        public Builder replicaOf(RedisServer master) {
            this.master = master;
            return this;
        }

        Builder role(Role role) {
            this.role = role;
            return this;
        }

        /**
         * Adds a line of redis.conf, after the lines that this class writes.
         *
         * @param key the directive, such as {@code maxmemory}
         * @param value its arguments as they would stand in the file, such as {@code 2mb} or {@code ""}
         * @return this builder
         * @throws IllegalArgumentException when either holds a line break
         */
        public Builder config(String key, String value) {
            if ((key + value).matches("(?s).*[\r\n].*")) {
                throw new IllegalArgumentException("A directive of redis.conf is one line");
            }
            directives.add(key + " " + (value.isEmpty() ? "\"\"" : value));
            return this;
        }

        @Override
        public RedisServer start() {
            Path executable = Executables.redisServer();
            String version = Executables.version(executable);
            return Ports.start(
                    port(),
                    chosen -> start(executable, version, chosen),
                    log -> log.contains("Failed listening on port"));
        }

        private RedisServer start(Path executable, String version, int chosenPort) {
            Path home = ServerProcess.newHome("interlock-redis-");
            Path data = data(home);
            Path config = home.resolve("redis.conf");
            try {
                Files.createDirectories(data);
                Files.write(config, lines(chosenPort, data));
            } catch (IOException e) {
                throw new UncheckedIOException("Cannot prepare " + data + " for redis-server", e);
            }
            List<String> command = new ArrayList<>(List.of(executable.toString(), config.toString()));
            if (role == Role.SENTINEL) {
                command.add("--sentinel");
            }
            ServerProcess process = ServerProcess.start(
                    command,
                    new ServerProcess.Signals("TERM", "KILL"),
                    home,
                    new RedisReadiness(chosenPort, role)::isReady);
            RedisServer server = new RedisServer(process, new Origin(chosenPort, version, keepsData()));
            if (master != null) {
                Nodes.await("replica " + server, server::followsItsMaster, server);
            }
            return server;
        }

        @Override
        Builder self() {
            return this;
        }

        private List<String> lines(int chosenPort, Path data) {
            List<String> lines = new ArrayList<>(
                    List.of("bind 127.0.0.1", "protected-mode yes", "port " + chosenPort, "dir \"" + data + "\""));
            if (role != Role.SENTINEL) {
                lines.add("save \"\"");
                lines.add("appendonly no");
                lines.add("repl-diskless-sync-delay 0"); // a replica need not wait for others to join
            }
            if (role == Role.CLUSTER_OF_ONE || role == Role.CLUSTER_NODE) {
                lines.add("cluster-enabled yes");
                lines.add("cluster-config-file nodes.conf");
                lines.add("cluster-announce-ip 127.0.0.1");
                lines.add("cluster-port " + Ports.free());
            }
            if (master != null) {
                lines.add("replicaof 127.0.0.1 " + master.port());
            }
            lines.addAll(directives);
            return lines;
        }
    }
}
