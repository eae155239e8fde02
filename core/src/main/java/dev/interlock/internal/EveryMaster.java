// SPDX-License-Identifier: Apache-2.0
package dev.interlock.internal;

import io.lettuce.core.api.StatefulRedisConnection;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;

/** Asks all masters the same. */
public final class EveryMaster {
    private EveryMaster() {}

    /**
     * Asks all masters at once.
     *
     * @param engine whose masters
     * @param ask asks one
     * @param <T> what one answers
     * @return the answers in the order of {@link Engine#masters()}; fails if one fails
     */
    public static <T> CompletableFuture<List<T>> of(
            Engine engine, Function<StatefulRedisConnection<byte[], byte[]>, CompletionStage<T>> ask) {
        List<CompletableFuture<T>> asked = engine.masters().stream()
                .map(master -> master.thenCompose(ask).toCompletableFuture())
                .toList();
        return CompletableFuture.allOf(asked.toArray(CompletableFuture[]::new))
                .thenApply(done -> asked.stream().map(CompletableFuture::join).toList());
    }
}
