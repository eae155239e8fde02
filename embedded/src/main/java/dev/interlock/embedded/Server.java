// SPDX-License-Identifier: Apache-2.0
package dev.interlock.embedded;

import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/**
 * A real server process on 127.0.0.1, with one port and one set of files over all its runs.
 *
 * <p>It guarantees that no process and no temporary directory is left behind, also when this JVM is killed. Whoever
 * started it closes it. Thread-safe.
 */
public abstract sealed class Server implements AutoCloseable permits RedisServer, PostgresServer {
    private final ServerProcess process;
    private final Origin origin;

    /**
     * What a server was started from.
     *
     * @param port where it listens
     * @param version what its executable reports
     * @param keepsData whether its data directory belongs to the caller
     */
    record Origin(int port, String version, boolean keepsData) {}

    Server(ServerProcess process, Origin origin) {
        this.process = process;
        this.origin = origin;
    }

    /** {@return the TCP port, the same in every run} */
    public final int port() {
        return origin.port();
    }

    /** {@return the version that the executable reports, such as {@code 7.0.15} or {@code 17.5}} */
    public final String version() {
        return origin.version();
    }

    /** {@return the process id of the server itself (of the postmaster), in its present or last run} */
    public final long pid() {
        return process.pid();
    }

    /** {@return whether the process exists; a paused one does} */
    public final boolean isAlive() {
        return process.isAlive();
    }

    /** Crashes the server: SIGKILL to it and all its children. Its files stay, {@link #restart()} works. */
    public final void kill() {
        process.kill();
    }

    /**
     * Stops the clock of the server: SIGSTOP to it and all its children. It keeps its connections and answers nothing until
     * {@link #resume()}.
     */
    public final void pause() {
        process.pause();
    }

    /** Lets a paused server go on: SIGCONT. */
    public final void resume() {
        process.resume();
    }

    /** Shuts the server down in an orderly way, and by SIGKILL after 15 s. Its files stay, {@link #restart()} works. */
    public final void stop() {
        process.stop();
    }

    /**
     * Starts the server again on the same port and files, after {@link #stop()} if it runs.
     *
     * @throws IllegalStateException when it does not become ready, with the end of its log, or is closed
     */
    public final void restart() {
        process.restart();
    }

    /** {@return all that the server has logged so far; empty once closed} */
    public final String log() {
        return process.log();
    }

    /** Ends the server and deletes its temporary files; a data directory that was given stays, after an orderly end. */
    @Override
    public final void close() {
        if (origin.keepsData()) {
            process.stop();
        }
        process.close();
    }

    /**
     * What the settings of every kind of server have in common. Not thread-safe.
     *
     * @param <S> the server
     * @param <B> its builder
     */
    public abstract static sealed class Builder<S extends Server, B extends Builder<S, B>>
            permits RedisServer.Builder, PostgresServer.Builder {
        private int port;
        private @Nullable Path dataDirectory;

        Builder() {}

        /**
         * Takes this port instead of a free one.
         *
         * @param port from 1 to 65535
         * @return this builder
         * @throws IllegalArgumentException for a port out of range
         */
        public final B port(int port) {
            this.port = Ports.checked(port);
            return self();
        }

        /**
         * Works in this directory, made and initialised if absent, and keeps it on close.
         *
         * @param dataDirectory where the server's files go
         * @return this builder
         */
        public final B dataDirectory(Path dataDirectory) {
            this.dataDirectory = dataDirectory.toAbsolutePath();
            return self();
        }

        /**
         * Starts the server and waits until it can be used.
         *
         * @return the server, ready
         * @throws IllegalStateException when no executable is found, or with the end of its log when it does not start
         */
        public abstract S start();

        abstract B self();

        /** The port that was asked for, 0 for a free one. */
        final int port() {
            return port;
        }

        /** Whether the data outlive the server. */
        final boolean keepsData() {
            return dataDirectory != null;
        }

        /** The directory that was asked for, or one inside {@code home}. */
        final Path data(Path home) {
            return dataDirectory == null ? home.resolve("data") : dataDirectory;
        }
    }
}
