// SPDX-License-Identifier: Apache-2.0
package dev.interlock.internal;

import io.lettuce.core.MapScanCursor;
import io.lettuce.core.ScanArgs;
import io.lettuce.core.ScanCursor;
import io.lettuce.core.api.StatefulRedisConnection;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/** Reads a hash of any size in steps, so that no single command holds Redis for long. */
public final class HashScan {
    private static final int STEP = 1_000;

    private HashScan() {}

    /** Takes what is read. */
    @FunctionalInterface
    public interface Taker {
        /**
         * Takes one field; a field that is changed meanwhile may come twice.
         *
         * @param field name of the field
         * @param value its value
         * @return whether to go on; false ends the scan after this step
         */
        boolean take(String field, String value);
    }

    /**
     * Reads a hash.
     *
     * @param engine runtime resources
     * @param key key of the hash
     * @param taker called on an I/O thread
     * @return completes with whether everything was read
     */
    public static CompletionStage<Boolean> scan(Engine engine, byte[] key, Taker taker) {
        return engine.connection(key).thenCompose(connection -> step(connection, key, ScanCursor.INITIAL, taker));
    }

    private static CompletionStage<Boolean> step(
            StatefulRedisConnection<byte[], byte[]> connection, byte[] key, ScanCursor cursor, Taker taker) {
        return connection
                .async()
                .hscan(key, cursor, ScanArgs.Builder.limit(STEP))
                .thenCompose(page -> {
                    if (!takeAll(page, taker)) {
                        return CompletableFuture.completedFuture(false);
                    }
                    return page.isFinished()
                            ? CompletableFuture.completedFuture(true)
                            : step(connection, key, page, taker);
                });
    }

    private static boolean takeAll(MapScanCursor<byte[], byte[]> page, Taker taker) {
        boolean goOn = true;
        for (Map.Entry<byte[], byte[]> field : page.getMap().entrySet()) {
            goOn &= taker.take(text(field.getKey()), text(field.getValue()));
        }
        return goOn;
    }

    private static String text(byte[] bytes) {
        return new String(bytes, StandardCharsets.UTF_8);
    }
}
