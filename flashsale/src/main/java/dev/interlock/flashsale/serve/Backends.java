// SPDX-License-Identifier: Apache-2.0
package dev.interlock.flashsale.serve;

import dev.interlock.embedded.PostgresServer;
import dev.interlock.embedded.RedisServer;
import dev.interlock.flashsale.console.FailedException;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Redis and the database of the service: given ones, or embedded ones that keep their data in a folder. Embedded ones start
 * while the rest of the service does. Thread-safe; closed last.
 */
public final class Backends implements AutoCloseable {
    private final CompletableFuture<List<String>> redis;
    private final CompletableFuture<String> jdbcUrl;
    private final CompletableFuture<@Nullable RedisServer> ownRedis;
    private final CompletableFuture<@Nullable PostgresServer> ownDatabase;

    private Backends(ServeOptions options) {
        ownRedis = options.redis().isEmpty() ? async(() -> redis(options.data())) : done();
        ownDatabase = options.database() == null ? async(() -> database(options.data())) : done();
        redis = ownRedis.thenApply(server -> server == null ? options.redis() : List.of(server.uri()));
        jdbcUrl = ownDatabase.thenApply(server -> server == null ? given(options.database()) : server.jdbcUrl());
    }

    /**
     * Starts what is not given.
     *
     * @param options what is given
     * @return the servers, perhaps still starting
     */
    static Backends start(ServeOptions options) {
        return new Backends(options);
    }

    private static String given(@Nullable String url) {
        if (url == null) {
            throw new IllegalStateException("there is no database");
        }
        return url;
    }

    /** A crash of Redis loses its last second at most; the pools find that out and go on from the database. */
    private static RedisServer redis(Path data) {
        return RedisServer.builder()
                .dataDirectory(data.resolve("redis"))
                .config("appendonly", "yes")
                .config("appendfsync", "everysec")
                .config("maxclients", "1000")
                .start();
    }

    private static PostgresServer database(Path data) {
        return PostgresServer.builder().dataDirectory(data.resolve("postgres")).start();
    }

    /**
     * Where Redis is.
     *
     * @return its URIs, as soon as it answers
     * @throws FailedException if it does not start
     */
    public List<String> redisUris() {
        return join(redis, "Redis");
    }

    /**
     * Where the database is.
     *
     * @return its URL for JDBC, as soon as it answers
     * @throws FailedException if it does not start
     */
    public String jdbcUrl() {
        return join(jdbcUrl, "the database");
    }

    private static <T> CompletableFuture<@Nullable T> async(Supplier<T> start) {
        return CompletableFuture.supplyAsync(start);
    }

    private static <T> CompletableFuture<@Nullable T> done() {
        return CompletableFuture.completedFuture(null);
    }

    private static <T> T join(CompletableFuture<T> started, String what) {
        try {
            return started.join();
        } catch (CompletionException e) {
            Throwable cause = e.getCause() == null ? e : e.getCause();
            throw new FailedException(
                    what + " does not start: " + FailedException.lineOf(cause)
                            + "; see whether another process uses --data, or give --redis and --db",
                    cause);
        }
    }

    /** Ends what it has started, in an orderly way; the data stays. */
    @Override
    public void close() {
        CompletableFuture<Void> database = CompletableFuture.runAsync(() -> close(ownDatabase));
        close(ownRedis);
        database.join();
    }

    private static void close(CompletableFuture<? extends @Nullable AutoCloseable> server) {
        try {
            AutoCloseable started = server.join();
            if (started != null) {
                started.close();
            }
        } catch (Exception e) {
            // It did not start, or has ended by itself.
        }
    }
}
