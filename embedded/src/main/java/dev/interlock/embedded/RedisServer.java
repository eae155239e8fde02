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
 * A real redis-server process for demos and tests, on 127.0.0.1 only.
 *
 * <p>The executable is, in this order: the one that the environment variable {@code INTERLOCK_REDIS_SERVER} names; Redis
 * 7.0.15 from {@code org.signal:embedded-redis}; {@code redis-server} or {@code valkey-server} on the PATH. The packaged
 * 7.0.15 lacks later security fixes: never let anything but this machine reach it.
 *
 * <p>It guarantees that no process and no temporary directory is left behind, also when this JVM is killed. Whoever
 * started it closes it. Thread-safe.
 */
public final class RedisServer implements AutoCloseable {
    private final ServerProcess process;
    private final int port;
    private final String version;
    private final boolean keepsData;

    private RedisServer(ServerProcess process, int port, String version, boolean keepsData) {
        this.process = process;
        this.port = port;
        this.version = version;
        this.keepsData = keepsData;
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
        return "redis://127.0.0.1:" + port;
    }

    /** {@return the TCP port, the same in every run} */
    public int port() {
        return port;
    }

    /** {@return the process id of redis-server itself, in its present or last run} */
    public long pid() {
        return process.pid();
    }

    /** {@return whether the process exists; a paused one does} */
    public boolean isAlive() {
        return process.isAlive();
    }

    /** {@return the version that the executable reports, such as {@code 7.0.15}} */
    public String version() {
        return version;
    }

    /** Crashes the server: SIGKILL. Its files stay, {@link #restart()} works. */
    public void kill() {
        process.kill();
    }

    /** Stops the clock of the server: SIGSTOP. It keeps its connections and answers nothing until {@link #resume()}. */
    public void pause() {
        process.pause();
    }

    /** Lets a paused server go on: SIGCONT. */
    public void resume() {
        process.resume();
    }

    /** Shuts the server down in an orderly way (SIGTERM, SIGKILL after 15 s). Its files stay, {@link #restart()} works. */
    public void stop() {
        process.stop();
    }

    /**
     * Starts the server again on the same port and files, after {@link #stop()} if it runs.
     *
     * @throws IllegalStateException when it does not become ready, with the end of its log, or is closed
     */
    public void restart() {
        process.restart();
    }

    /** {@return all that the server has logged so far; empty once closed} */
    public String log() {
        return process.log();
    }

    /** Ends the server and deletes its temporary files; a data directory that was given stays, after an orderly end. */
    @Override
    public void close() {
        if (keepsData) {
            process.stop();
        }
        process.close();
    }

    /** Settings of a {@link RedisServer}. Not thread-safe. */
    public static final class Builder {
        private final List<String> directives = new ArrayList<>();
        private int port;
        private @Nullable Path dataDirectory;
        private boolean cluster;

        private Builder() {}

        /**
         * Takes this port instead of a free one.
         *
         * @param port from 1 to 65535
         * @return this builder
         * @throws IllegalArgumentException for a port out of range
         */
        public Builder port(int port) {
            this.port = Ports.checked(port);
            return this;
        }

        /**
         * Works in this directory, made if absent, and keeps it on close.
         *
         * @param dataDirectory where the append-only file and dumps go
         * @return this builder
         */
        public Builder dataDirectory(Path dataDirectory) {
            this.dataDirectory = dataDirectory.toAbsolutePath();
            return this;
        }

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
            this.cluster = true;
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

        /**
         * Starts the server and waits until it answers.
         *
         * @return the server, ready for commands
         * @throws IllegalStateException when no executable is found, or with the end of its log when it does not start
         */
        public RedisServer start() {
            Path executable = Executables.redisServer();
            String version = Executables.version(executable);
            return Ports.start(
                    port,
                    chosen -> start(executable, version, chosen),
                    log -> log.contains("Failed listening on port"));
        }

        private RedisServer start(Path executable, String version, int chosenPort) {
            Path home = ServerProcess.newHome("interlock-redis-");
            Path data = dataDirectory == null ? home.resolve("data") : dataDirectory;
            Path config = home.resolve("redis.conf");
            try {
                Files.createDirectories(data);
                Files.write(config, lines(chosenPort, data));
            } catch (IOException e) {
                throw new UncheckedIOException("Cannot prepare " + data + " for redis-server", e);
            }
            ServerProcess process = ServerProcess.start(
                    List.of(executable.toString(), config.toString()),
                    new ServerProcess.Signals("TERM", "KILL"),
                    home,
                    new RedisReadiness(chosenPort, cluster)::isReady);
            return new RedisServer(process, chosenPort, version, dataDirectory != null);
        }

        private List<String> lines(int chosenPort, Path data) {
            List<String> lines = new ArrayList<>(List.of(
                    "bind 127.0.0.1",
                    "protected-mode yes",
                    "port " + chosenPort,
                    "dir \"" + data + "\"",
                    "save \"\"",
                    "appendonly no"));
            if (cluster) {
                lines.add("cluster-enabled yes");
                lines.add("cluster-config-file nodes.conf");
                lines.add("cluster-announce-ip 127.0.0.1");
                lines.add("cluster-port " + Ports.free());
            }
            lines.addAll(directives);
            return lines;
        }
    }
}
