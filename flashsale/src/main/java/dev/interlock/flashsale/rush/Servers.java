// SPDX-License-Identifier: Apache-2.0
package dev.interlock.flashsale.rush;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import dev.interlock.embedded.PostgresServer;
import dev.interlock.embedded.RedisServer;
import dev.interlock.flashsale.console.Cleanup;
import dev.interlock.flashsale.console.FailedException;
import java.sql.Connection;
import java.sql.DatabaseMetaData;
import java.sql.SQLException;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Redis and the database of a rush: given ones, or embedded ones that end with it.
 *
 * @param redis URIs
 * @param database connections
 * @param databaseName product and version
 */
record Servers(List<String> redis, HikariDataSource database, String databaseName) {
    private static final int CONNECTIONS = 4;
    private static final int CONNECT_MILLIS = 5_000;

    static Servers open(RushSettings settings, Cleanup cleanup) {
        CompletableFuture<String> jdbcUrl = async(() -> jdbcUrl(settings.database(), cleanup));
        CompletableFuture<List<String>> redis = async(() -> redis(settings.redis(), cleanup));
        HikariDataSource database = cleanup.add(connect(join(jdbcUrl)));
        String name = nameOf(database) + (settings.database() == null ? ", embedded" : "");
        return new Servers(join(redis), database, name);
    }

    private static List<String> redis(List<String> given, Cleanup cleanup) {
        if (!given.isEmpty()) {
            return given;
        }
        // As most shops run it: a crash of Redis loses its last second at most, and the rush does not measure the disk.
        RedisServer.Builder settings =
                RedisServer.builder().config("appendonly", "yes").config("appendfsync", "everysec");
        return List.of(cleanup.add(settings.start()).uri());
    }

    private static String jdbcUrl(@Nullable String given, Cleanup cleanup) {
        return given != null ? given : cleanup.add(PostgresServer.start()).jdbcUrl();
    }

    private static HikariDataSource connect(String jdbcUrl) {
        HikariConfig config = new HikariConfig();
        config.setJdbcUrl(jdbcUrl);
        config.setMaximumPoolSize(CONNECTIONS);
        config.setConnectionTimeout(CONNECT_MILLIS);
        config.setInitializationFailTimeout(1); // one try
        config.addDataSourceProperty("socketTimeout", "30");
        config.addDataSourceProperty("ApplicationName", "interlock-rush");
        try {
            return new HikariDataSource(config);
        } catch (RuntimeException e) {
            Throwable reason = e.getCause() == null ? e : e.getCause();
            throw new FailedException(
                    "the database does not let us in: " + FailedException.lineOf(reason) + "; check --db", e);
        }
    }

    private static String nameOf(HikariDataSource database) {
        try (Connection connection = database.getConnection()) {
            DatabaseMetaData data = connection.getMetaData();
            return data.getDatabaseProductName() + ' ' + data.getDatabaseProductVersion();
        } catch (SQLException e) {
            throw new FailedException("the database does not answer: " + FailedException.lineOf(e), e);
        }
    }

    private static <T> CompletableFuture<T> async(Supplier<T> start) {
        return CompletableFuture.supplyAsync(start);
    }

    private static <T> T join(CompletableFuture<T> started) {
        try {
            return started.join();
        } catch (CompletionException e) {
            Throwable cause = e.getCause() == null ? e : e.getCause();
            throw cause instanceof FailedException failed
                    ? failed
                    : new FailedException("a server does not start: " + FailedException.lineOf(cause), cause);
        }
    }
}
