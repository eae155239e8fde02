// SPDX-License-Identifier: Apache-2.0
package dev.interlock.pool;

import dev.interlock.NotExecutedException;
import dev.interlock.internal.Combiner;
import dev.interlock.internal.Engine;
import dev.interlock.internal.Text;
import dev.interlock.pool.Durability.Level;
import dev.interlock.pool.DurableCalls.Reached;
import io.lettuce.core.KeyValue;
import io.lettuce.core.SetArgs;
import io.lettuce.core.api.StatefulRedisConnection;
import io.lettuce.core.codec.ByteArrayCodec;
import io.lettuce.core.output.IntegerListOutput;
import io.lettuce.core.protocol.CommandArgs;
import io.lettuce.core.protocol.ProtocolKeyword;
import java.nio.charset.StandardCharsets;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Has replicas or the disk acknowledge events. WAIT and WAITAOF hold up their connection, so there is one for them; and they
 * count from the last write of their own connection. So that connection first reads that its server has the event, which a
 * server promoted meanwhile may not, then writes a small key, and then waits. Who comes while it waits shares the next wait.
 */
final class ServerArrival implements DurableCalls.Arrival {
    private static final int MAX_SHARED = 10_000;
    private static final long MARK_MILLIS = TimeUnit.MINUTES.toMillis(1);
    private static final byte[] EPOCH = Text.bytes("epoch");
    private static final byte[] SEQUENCE = Text.bytes("seq");
    private static final Pattern VERSION = Pattern.compile("redis_version:(\\d+)\\.(\\d+)\\.(\\S+)");
    private static final ProtocolKeyword WAITAOF = new ProtocolKeyword() {
        @Override
        public byte[] getBytes() {
            return Text.bytes("WAITAOF");
        }

        @Override
        public String toString() {
            return "WAITAOF";
        }
    };

    private final Engine engine;
    private final PoolKeys keys;
    private final Durability wanted;
    private final Combiner<Seen.Event, Reached> waits;
    private @Nullable CompletableFuture<StatefulRedisConnection<byte[], byte[]>> connection;
    private volatile @Nullable CompletionStage<Void> checked;

    ServerArrival(Engine engine, PoolKeys keys, Durability wanted) {
        this.engine = engine;
        this.keys = keys;
        this.wanted = wanted;
        this.waits = new Combiner<>(1, MAX_SHARED, engine.settings().maxPending(), this::together);
    }

    @Override
    public CompletionStage<Void> check() {
        if (wanted.level() != Level.FSYNCED) {
            return CompletableFuture.completedStage(null);
        }
        CompletionStage<Void> known = checked;
        if (known == null || known.toCompletableFuture().isCompletedExceptionally()) {
            known = connected().thenCompose(own -> own.async().info()).thenAccept(ServerArrival::checkDisk);
            checked = known;
        }
        return known;
    }

    /** WAITAOF came with Redis 7.2, and answers an error without the file that it waits for. */
    static void checkDisk(String info) {
        Matcher version = VERSION.matcher(info);
        if (version.find()) {
            int major = Integer.parseInt(version.group(1));
            if (major < 7 || (major == 7 && Integer.parseInt(version.group(2)) < 2)) {
                throw new NotExecutedException(
                        "durability FSYNCED needs Redis 7.2 or newer, this is "
                                + version.group().substring(14)
                                + "; nothing was done: use REPLICATED or RECORDED, or a newer server",
                        null);
            }
        }
        if (info.contains("aof_enabled:0")) {
            throw new NotExecutedException(
                    "durability FSYNCED needs \"appendonly yes\", which is off here; nothing was done", null);
        }
    }

    @Override
    public CompletionStage<Reached> of(Seen.Event event) {
        return waits.submit(event).exceptionally(failure -> Reached.MEMORY);
    }

    /** One wait for all: the latest event stands for the earlier ones. */
    private CompletionStage<List<Reached>> together(List<Seen.Event> events) {
        Seen.Event latest = events.stream().reduce(Seen.Event.NONE, Seen.Event::later);
        long patience = wanted.patience().toMillis();
        return connected()
                .thenCompose(own -> wait(own, latest, patience))
                .orTimeout(patience + engine.settings().commandTimeout().toMillis(), TimeUnit.MILLISECONDS)
                .handle((reached, error) -> {
                    if (error != null) {
                        giveUpConnection();
                    }
                    return Collections.nCopies(events.size(), reached == null ? Reached.MEMORY : reached);
                });
    }

    private CompletionStage<Reached> wait(
            StatefulRedisConnection<byte[], byte[]> own, Seen.Event latest, long patience) {
        CompletionStage<List<KeyValue<byte[], byte[]>>> there = own.async().hmget(keys.meta, EPOCH, SEQUENCE);
        own.async().set(keys.mark, Text.bytes(latest.sequence()), SetArgs.Builder.px(MARK_MILLIS));
        CompletionStage<Long> count = wanted.level() == Level.FSYNCED
                ? fsynced(own, patience)
                : own.async().waitForReplication(wanted.replicas(), patience);
        return there.thenCombine(count, (state, acknowledged) -> reached(has(state, latest), acknowledged.intValue()));
    }

    private static CompletionStage<Long> fsynced(StatefulRedisConnection<byte[], byte[]> own, long patience) {
        return own.async()
                .dispatch(
                        WAITAOF,
                        new IntegerListOutput<>(ByteArrayCodec.INSTANCE),
                        new CommandArgs<>(ByteArrayCodec.INSTANCE).add(1).add(0).add(patience))
                .thenApply(counts -> counts.get(0));
    }

    private Reached reached(boolean there, int acknowledged) {
        int replicas = there && wanted.level() == Level.REPLICATED ? acknowledged : 0;
        int enough = Math.max(1, wanted.replicas());
        return new Reached(there && acknowledged >= enough ? wanted.level() : Level.MEMORY, replicas);
    }

    private static boolean has(List<KeyValue<byte[], byte[]>> state, Seen.Event latest) {
        long epoch = number(state.get(0));
        long sequence = number(state.get(1));
        return epoch == latest.epoch() && sequence >= latest.sequence();
    }

    private static long number(KeyValue<byte[], byte[]> value) {
        return Long.parseLong(new String(value.getValueOrElse(Text.bytes("-1")), StandardCharsets.US_ASCII));
    }

    private synchronized CompletableFuture<StatefulRedisConnection<byte[], byte[]>> connected() {
        if (connection == null || connection.isCompletedExceptionally()) {
            connection = engine.openConnection(keys.meta).toCompletableFuture();
        }
        return connection;
    }

    /** A new one finds the master of now. */
    private synchronized void giveUpConnection() {
        if (connection != null) {
            connection.thenAccept(StatefulRedisConnection::closeAsync);
            connection = null;
        }
    }
}
