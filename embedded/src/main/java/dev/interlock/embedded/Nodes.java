// SPDX-License-Identifier: Apache-2.0
package dev.interlock.embedded;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.function.BooleanSupplier;

/** What clusters and sentinels share: servers that start and end at the same time, and waiting for what they agree on. */
final class Nodes {
    private static final Duration LIMIT = Duration.ofSeconds(30);

    private Nodes() {}

    /** Starts one server per builder, all at once; when one fails the others are closed. */
    static List<RedisServer> start(List<RedisServer.Builder> builders) {
        ExecutorService threads = Executors.newFixedThreadPool(builders.size());
        List<CompletableFuture<RedisServer>> starting = builders.stream()
                .map(builder -> CompletableFuture.supplyAsync(builder::start, threads))
                .toList();
        try {
            return new ArrayList<>(
                    starting.stream().map(CompletableFuture::join).toList());
        } catch (CompletionException e) {
            starting.forEach(each -> each.thenAccept(RedisServer::close));
            throw e.getCause() instanceof RuntimeException cause ? cause : e;
        } finally {
            threads.shutdown();
        }
    }

    /** Closes servers all at once, each whatever becomes of the others. */
    static void close(Collection<RedisServer> servers) {
        ExecutorService threads = Executors.newFixedThreadPool(Math.max(1, servers.size()));
        try {
            CompletableFuture.allOf(servers.stream()
                            .map(server -> CompletableFuture.runAsync(server::close, threads))
                            .toArray(CompletableFuture[]::new))
                    .join();
        } finally {
            threads.shutdown();
        }
    }

    /**
     * Waits for a condition.
     *
     * @throws IllegalStateException when it does not come, with the end of a server's log
     */
    static void await(String what, BooleanSupplier condition, RedisServer witness) {
        if (!GuardedProcess.poll(LIMIT, condition)) {
            throw new IllegalStateException(what + " did not come about within " + LIMIT.toSeconds()
                    + " s; the end of the log of " + witness + ":\n" + ServerProcess.tail(witness.log()));
        }
    }
}
