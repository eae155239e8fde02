// SPDX-License-Identifier: Apache-2.0
package dev.interlock.internal;

import dev.interlock.NotExecutedException;
import io.lettuce.core.api.StatefulRedisConnection;
import io.lettuce.core.protocol.CommandArgs;
import io.lettuce.core.protocol.CommandType;
import io.netty.util.Timeout;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * One Redis stream, read on a connection of its own because reading may block. Entries come as the list of their fields, so
 * that a field name may occur twice. Thread-safe; closed by its reader.
 */
public final class RawStream implements AutoCloseable {
    private final Engine engine;
    private final byte[] key;
    private @Nullable CompletableFuture<StatefulRedisConnection<byte[], byte[]>> connection;

    /**
     * Creates the reader; it connects when it first reads.
     *
     * @param engine runtime resources
     * @param key key of the stream
     */
    public RawStream(Engine engine, byte[] key) {
        this.engine = engine;
        this.key = key;
    }

    /**
     * One entry.
     *
     * @param id its id
     * @param fields names and values in turn
     */
    public record Entry(String id, List<String> fields) {}

    /**
     * Reads entries after an id.
     *
     * @param afterId the id
     * @param count most entries
     * @param waitMillis how long the server waits for a first entry, 0 for not at all
     * @return the entries
     */
    public CompletionStage<List<Entry>> read(String afterId, int count, long waitMillis) {
        return read(afterId, count, waitMillis, true);
    }

    /** A connection may be lost before its first use; what was never sent over it may be tried again, once. */
    private CompletionStage<List<Entry>> read(String afterId, int count, long waitMillis, boolean again) {
        return connected().thenCompose(opened -> {
            CommandArgs<byte[], byte[]> args = RedisCall.args().add("COUNT").add(count);
            if (waitMillis > 0) {
                args.add("BLOCK").add(waitMillis);
            }
            RedisCall call = new RedisCall(
                    CommandType.XREAD, args.add("STREAMS").addKey(key).add(afterId));
            long patience = waitMillis + engine.settings().commandTimeout().toMillis();
            Timeout timeout =
                    engine.timer().newTimeout(ignored -> giveUp(call, patience), patience, TimeUnit.MILLISECONDS);
            opened.dispatch(call);
            return call.handle((reply, error) -> {
                        timeout.cancel();
                        if (error == null) {
                            return CompletableFuture.completedStage(entries(reply));
                        }
                        leave(opened);
                        if (again && !call.wasSent()) {
                            return read(afterId, count, waitMillis, false);
                        }
                        throw new NotExecutedException("the stream could not be read: " + error.getMessage(), error);
                    })
                    .thenCompose(next -> next);
        });
    }

    private static void giveUp(RedisCall call, long millis) {
        call.completeExceptionally(
                new NotExecutedException("Redis did not answer a read within " + millis + " ms", null));
    }

    /** The reply is a map of the one stream to its entries, or null. */
    private static List<Entry> entries(@Nullable Object reply) {
        if (!(reply instanceof List<?> streams) || streams.size() < 2 || !(streams.get(1) instanceof List<?> found)) {
            return List.of();
        }
        List<Entry> entries = new ArrayList<>(found.size());
        for (Object item : found) {
            List<?> entry = (List<?>) item;
            List<String> fields = new ArrayList<>();
            if (entry.get(1) instanceof List<?> values) {
                values.forEach(value -> fields.add(text(value)));
            }
            entries.add(new Entry(text(entry.get(0)), fields));
        }
        return entries;
    }

    private static String text(Object bytes) {
        return new String((byte[]) bytes, StandardCharsets.UTF_8);
    }

    /**
     * The smallest id after another one, because MINID keeps the id that it names.
     *
     * @param id an id
     * @return the next
     */
    public static String successor(String id) {
        int dash = id.indexOf('-');
        return id.substring(0, dash + 1) + (Long.parseUnsignedLong(id.substring(dash + 1)) + 1);
    }

    private synchronized CompletableFuture<StatefulRedisConnection<byte[], byte[]>> connected() {
        if (connection == null || connection.isCompletedExceptionally()) {
            connection = engine.openConnection(key).toCompletableFuture();
        }
        return connection;
    }

    /** The node may hang, or no longer be the master of the key: the next call opens a connection to whoever is then. */
    private synchronized void leave(StatefulRedisConnection<byte[], byte[]> failed) {
        if (connection != null && connection.getNow(null) == failed) {
            connection = null;
        }
        failed.closeAsync();
    }

    @Override
    public synchronized void close() {
        if (connection != null) {
            connection.thenAccept(StatefulRedisConnection::closeAsync);
        }
    }
}
