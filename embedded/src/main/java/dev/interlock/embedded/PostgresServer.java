// SPDX-License-Identifier: Apache-2.0
package dev.interlock.embedded;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * A real PostgreSQL for demos and tests, on 127.0.0.1 only, with the user {@code postgres} and no password.
 *
 * <p>What it has acknowledged survives {@link #kill()}: {@code fsync} and {@code synchronous_commit} are on. As root,
 * which PostgreSQL refuses to run as, it runs in a user namespace of its own ({@code unshare -U}); where the kernel forbids
 * those, as the user nobody ({@code setpriv}), to whom it gives the files.
 *
 * <p>It needs {@code commons-compress}, {@code xz} and the binaries of this platform on the class path.
 */
public final class PostgresServer extends Server {
    private PostgresServer(ServerProcess process, Origin origin) {
        super(process, origin);
    }

    /**
     * Starts a new, empty server on a free port.
     *
     * @return the server, ready for connections
     * @throws IllegalStateException when its binaries are not on the class path or it does not start
     */
    public static PostgresServer start() {
        return builder().start();
    }

    /** {@return a builder for a server with other settings} */
    public static Builder builder() {
        return new Builder();
    }

    /** {@return the address for JDBC, user included; there is no password} */
    public String jdbcUrl() {
        return "jdbc:postgresql://127.0.0.1:" + port() + "/postgres?user=postgres";
    }

    /** Settings of a {@link PostgresServer}. Not thread-safe. */
    public static final class Builder extends Server.Builder<PostgresServer, Builder> {
        private static final Duration INITDB_LIMIT = Duration.ofSeconds(60);

        private final Map<String, String> settings = new LinkedHashMap<>(Map.of(
                "fsync", "on",
                "synchronous_commit", "on",
                "shared_buffers", "16MB",
                "max_connections", "50"));
        private boolean asNobody;

        private Builder() {}

        /**
         * Sets a server setting; the last value given for a key counts.
         *
         * @param key the setting, such as {@code lock_timeout}
         * @param value its value, such as {@code 2s}
         * @return this builder
         */
        public Builder config(String key, String value) {
            settings.put(key, value);
            return this;
        }

        /** Takes the second way of root, for its test. */
        Builder asNobody() {
            asNobody = true;
            return this;
        }

        @Override
        public PostgresServer start() {
            Path bin = PostgresBinaries.bin();
            Unprivileged way = asNobody ? Unprivileged.asNobody().orElseThrow() : Unprivileged.of(bin);
            String version = Executables.version(bin.resolve("postgres"));
            return Ports.start(
                    port(), chosen -> start(bin, way, version, chosen), log -> log.contains("could not bind"));
        }

        private PostgresServer start(Path packaged, Unprivileged way, String version, int chosenPort) {
            Path home = ServerProcess.newHome("interlock-postgres-");
            Path data = data(home);
            Path bin = way.bin(packaged, home);
            way.handOver(data);
            if (!Files.exists(data.resolve("PG_VERSION"))) {
                initialise(bin, data, home, way.prefix());
            }
            List<String> command = new ArrayList<>(way.prefix());
            command.addAll(List.of(bin.resolve("postgres").toString(), "-D", data.toString()));
            command.addAll(List.of("-c", "port=" + chosenPort));
            command.addAll(List.of("-c", "listen_addresses=127.0.0.1", "-c", "unix_socket_directories="));
            settings.forEach((key, value) -> command.addAll(List.of("-c", key + "=" + value)));
            ServerProcess process = ServerProcess.start(
                    command, new ServerProcess.Signals("INT", "QUIT"), home, pid -> isReady(data, pid));
            return new PostgresServer(process, new Origin(chosenPort, version, keepsData()));
        }

        @Override
        Builder self() {
            return this;
        }

        /** The guard of initdb holds {@code home} until then; should initdb fail it deletes it. */
        private void initialise(Path bin, Path data, Path home, List<String> prefix) {
            List<String> command = new ArrayList<>(prefix);
            command.addAll(List.of(bin.resolve("initdb").toString(), "-D", data.toString()));
            command.addAll(List.of("-A", "trust", "-U", "postgres", "-E", "UTF8", "--no-locale"));
            if (!keepsData()) {
                command.add("--no-sync");
            }
            Path log = ServerProcess.logIn(home);
            GuardedProcess initdb = GuardedProcess.start(command, "KILL", home, log);
            if (!initdb.awaitEnd(INITDB_LIMIT) || !Files.exists(data.resolve("PG_VERSION"))) {
                String words = ServerProcess.tail(ServerProcess.read(log));
                initdb.close();
                throw new IllegalStateException("initdb failed; the end of its log:\n" + words);
            }
            initdb.release();
        }

        /** As pg_ctl does it: the postmaster notes its process id and state in a file, which it may find stale. */
        private static boolean isReady(Path data, long pid) {
            try {
                List<String> lines = Files.readAllLines(data.resolve("postmaster.pid"));
                return lines.size() >= 8
                        && lines.get(0).equals(Long.toString(pid))
                        && lines.get(7).strip().equals("ready");
            } catch (IOException e) {
                return false;
            }
        }
    }
}
