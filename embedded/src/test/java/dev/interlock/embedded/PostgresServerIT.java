// SPDX-License-Identifier: Apache-2.0
package dev.interlock.embedded;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class PostgresServerIT {
    @Test
    void isDurableAndLocal() throws SQLException {
        try (PostgresServer postgres = PostgresServer.start()) {
            assertThat(postgres.version()).startsWith("17.");
            assertThat(ask(postgres, "SHOW fsync")).isEqualTo("on");
            assertThat(ask(postgres, "SHOW synchronous_commit")).isEqualTo("on");
            assertThat(ask(postgres, "SHOW full_page_writes")).isEqualTo("on");
            assertThat(ask(postgres, "SHOW listen_addresses")).isEqualTo("127.0.0.1");
            assertThat(ask(postgres, "SHOW server_encoding")).isEqualTo("UTF8");
            assertThat(postgres.log()).contains("ready to accept connections");
        }
    }

    @Test
    void keepsCommittedRowsOverCrashes() throws SQLException {
        try (PostgresServer postgres = PostgresServer.start()) {
            run(postgres, "CREATE TABLE t (id int)");
            for (int crash = 1; crash <= 3; crash++) {
                long pid = postgres.pid();
                try (Connection connection = DriverManager.getConnection(postgres.jdbcUrl());
                        Statement statement = connection.createStatement()) {
                    statement.execute("INSERT INTO t VALUES (" + crash + ")");
                    connection.setAutoCommit(false);
                    statement.execute("INSERT INTO t VALUES (-1)");
                    postgres.kill();
                    assertThat(postgres.isAlive()).isFalse();
                    assertThatThrownBy(connection::commit).isInstanceOf(SQLException.class);
                }
                postgres.restart();
                assertThat(postgres.pid()).isNotEqualTo(pid);
                assertThat(ask(postgres, "SELECT string_agg(id::text, ',' ORDER BY id) FROM t"))
                        .isEqualTo("1,2,3".substring(0, 2 * crash - 1));
            }
        }
    }

    /** Where this is not root, there is nothing to hide. */
    @Test
    void rootRunsItAsNobodyWhereNamespacesAreForbidden(@TempDir Path folder) throws SQLException, IOException {
        if (!Integer.valueOf(0).equals(Files.getAttribute(folder, "unix:uid"))) {
            assertThat(Unprivileged.of(folder).prefix()).isEmpty();
            return;
        }
        Files.setPosixFilePermissions(folder, PosixFilePermissions.fromString("rwxr-xr-x"));
        Path data = folder.resolve("data");
        try (PostgresServer postgres =
                PostgresServer.builder().dataDirectory(data).asNobody().start()) {
            assertThat(ProcessHandle.of(postgres.pid()).orElseThrow().info().user())
                    .contains("nobody");
            run(postgres, "CREATE TABLE t (id int)");
            run(postgres, "INSERT INTO t VALUES (1)");
            postgres.kill();
            postgres.restart();
            assertThat(ask(postgres, "SELECT count(*) FROM t")).isEqualTo("1");
        }
        try (PostgresServer again =
                PostgresServer.builder().dataDirectory(data).asNobody().start()) {
            assertThat(ask(again, "SELECT count(*) FROM t")).isEqualTo("1");
        }
    }

    @Test
    void hangsWhilePausedAndThenGoesOn() throws SQLException {
        try (PostgresServer postgres = PostgresServer.start();
                Connection connection = DriverManager.getConnection(postgres.jdbcUrl() + "&socketTimeout=1");
                Statement statement = connection.createStatement()) {
            postgres.pause();
            assertThat(postgres.isAlive()).isTrue();
            assertThatThrownBy(() -> statement.execute("SELECT 1")).hasRootCauseMessage("Read timed out");
            postgres.resume();
            assertThat(ask(postgres, "SELECT 1")).isEqualTo("1");
            postgres.pause(); // closing a paused server must work as well
        }
    }

    @Test
    void isDownWhileStoppedAndKeepsItsData() throws SQLException {
        try (PostgresServer postgres = PostgresServer.start()) {
            run(postgres, "CREATE TABLE t AS SELECT 7 AS id");
            postgres.stop();
            assertThat(postgres.isAlive()).isFalse();
            assertThatThrownBy(() -> DriverManager.getConnection(postgres.jdbcUrl()))
                    .hasMessageContaining("refused");
            postgres.restart();
            postgres.restart();
            assertThat(ask(postgres, "SELECT id FROM t")).isEqualTo("7");
        }
    }

    @Test
    void keepsAGivenDataDirectoryOnClose(@TempDir Path folder) throws SQLException {
        Path data = folder.resolve("cluster");
        int port = Ports.free();
        try (PostgresServer postgres =
                PostgresServer.builder().dataDirectory(data).start()) {
            run(postgres, "CREATE TABLE t AS SELECT 7 AS id");
        }
        try (PostgresServer postgres = PostgresServer.builder()
                .dataDirectory(data)
                .port(port)
                .config("lock_timeout", "3s")
                .start()) {
            assertThat(postgres.port()).isEqualTo(port);
            assertThat(ask(postgres, "SELECT id FROM t")).isEqualTo("7");
            assertThat(ask(postgres, "SHOW lock_timeout")).isEqualTo("3s");
        }
    }

    @Test
    void failsWithTheWordsOfPostgres() {
        assertThatThrownBy(() ->
                        PostgresServer.builder().config("no_such_setting", "1").start())
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("unrecognized configuration parameter \"no_such_setting\"");
    }

    private static void run(PostgresServer postgres, String sql) throws SQLException {
        try (Connection connection = DriverManager.getConnection(postgres.jdbcUrl());
                Statement statement = connection.createStatement()) {
            statement.execute(sql);
        }
    }

    private static String ask(PostgresServer postgres, String sql) throws SQLException {
        try (Connection connection = DriverManager.getConnection(postgres.jdbcUrl());
                Statement statement = connection.createStatement();
                ResultSet result = statement.executeQuery(sql)) {
            result.next();
            return result.getString(1);
        }
    }
}
