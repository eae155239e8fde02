// SPDX-License-Identifier: Apache-2.0
package dev.interlock.internal;

import io.lettuce.core.RedisChannelHandler;
import io.lettuce.core.RedisConnectionStateListener;
import io.lettuce.core.TrackingArgs;
import io.lettuce.core.api.StatefulRedisConnection;
import io.lettuce.core.api.push.PushMessage;
import io.lettuce.core.pubsub.RedisPubSubAdapter;
import io.lettuce.core.pubsub.StatefulRedisPubSubConnection;
import java.net.SocketAddress;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The connection for pushes of one node: what is watched and listened to there, again after each reconnection. */
final class PushNode {
    private static final Logger log = LoggerFactory.getLogger(PushNode.class);
    private static final int READ_AT_ONCE = 256;
    private static final long RETRY_MILLIS = 500;

    private final Map<ByteBuffer, Tracking.Watch> watches = new ConcurrentHashMap<>();
    private final Map<String, Listening> channels = new ConcurrentHashMap<>();
    private final Queue<Tracking.Watch> unread = new ConcurrentLinkedQueue<>();
    private final AtomicBoolean reading = new AtomicBoolean();
    private final int readAtOnce;
    private final Supplier<CompletionStage<StatefulRedisPubSubConnection<byte[], byte[]>>> opener;
    private volatile @Nullable StatefulRedisPubSubConnection<byte[], byte[]> connection;
    private volatile boolean closed;

    /**
     * Somebody who listens to a channel.
     *
     * @param slot of the node that he wants to hear
     * @param onMessage called with each message
     */
    record Listening(int slot, Consumer<byte[]> onMessage) {}

    /**
     * Opens the connection, again and again until it succeeds.
     *
     * @param opener opens it
     * @param cluster whether keys must be read one by one
     */
    PushNode(Supplier<CompletionStage<StatefulRedisPubSubConnection<byte[], byte[]>>> opener, boolean cluster) {
        this.opener = opener;
        // A cluster reads keys of one slot at once only.
        readAtOnce = cluster ? 1 : READ_AT_ONCE;
        open();
    }

    private void open() {
        opener.get().whenComplete((opened, error) -> {
            if (error == null) {
                use(opened);
            } else if (!closed) {
                log.warn("no connection for pushes yet; changes are noticed by polling only: {}", error.toString());
                CompletableFuture.delayedExecutor(RETRY_MILLIS, TimeUnit.MILLISECONDS)
                        .execute(this::retry);
            }
        });
    }

    private void retry() {
        if (!closed) {
            open();
        }
    }

    private void use(StatefulRedisPubSubConnection<byte[], byte[]> opened) {
        opened.addListener(message -> pushed(message));
        opened.addListener(new RedisConnectionStateListener() {
            @Override
            public void onRedisConnected(RedisChannelHandler<?, ?> handler, SocketAddress address) {
                startTracking(opened);
            }

            @Override
            public void onRedisDisconnected(RedisChannelHandler<?, ?> handler) {
                watches.values().forEach(Tracking.Watch::changed);
            }
        });
        opened.addListener(new RedisPubSubAdapter<byte[], byte[]>() {
            @Override
            public void message(byte[] channel, byte[] message) {
                Listening listening = channels.get(new String(channel, StandardCharsets.UTF_8));
                if (listening != null) {
                    listening.onMessage.accept(message);
                }
            }
        });
        connection = opened;
        if (closed) {
            opened.closeAsync();
        }
        channels.keySet().forEach(channel -> opened.async().subscribe(Text.bytes(channel)));
        startTracking(opened);
    }

    private void startTracking(StatefulRedisConnection<byte[], byte[]> opened) {
        opened.async().clientTracking(TrackingArgs.Builder.enabled()).whenComplete((ok, error) -> {
            if (error == null) {
                watches.values().forEach(this::read);
            } else {
                log.warn("CLIENT TRACKING did not succeed; changes are noticed by polling until it does", error);
            }
        });
    }

    /** The server tracks a key from the moment it was read. While one reading is under way others collect. */
    private void read(Tracking.Watch watch) {
        unread.add(watch);
        readNext();
    }

    private void readNext() {
        StatefulRedisConnection<byte[], byte[]> current = connection;
        while (current != null && !unread.isEmpty() && (readAtOnce == 1 || reading.compareAndSet(false, true))) {
            List<Tracking.Watch> batch = new ArrayList<>();
            List<Long> expected = new ArrayList<>();
            for (Tracking.Watch next = unread.poll(); next != null; next = unread.poll()) {
                batch.add(next);
                expected.add(next.changes());
                if (batch.size() == readAtOnce) {
                    break;
                }
            }
            if (batch.isEmpty()) {
                reading.set(false);
            } else {
                read(current, batch, expected);
            }
        }
    }

    private void read(
            StatefulRedisConnection<byte[], byte[]> current, List<Tracking.Watch> batch, List<Long> expected) {
        byte[][] keys = batch.stream().map(watch -> watch.key).toArray(byte[][]::new);
        current.async().mget(keys).whenComplete((values, error) -> {
            reading.set(false);
            readNext();
            for (int i = 0; error == null && i < batch.size(); i++) {
                batch.get(i).arm(expected.get(i));
                batch.get(i).read(values.get(i).getValueOrElse(null));
            }
        });
    }

    private void pushed(PushMessage message) {
        if (!message.getType().equals("invalidate")) {
            return;
        }
        List<Object> content = message.getContent();
        Object keys = content.size() > 1 ? content.get(1) : null;
        if (keys instanceof List<?> named) {
            named.forEach(key -> changed(key instanceof ByteBuffer bytes ? watches.get(bytes) : null));
        } else {
            watches.values().forEach(this::changed);
        }
    }

    private void changed(Tracking.@Nullable Watch watch) {
        if (watch != null) {
            watch.changed();
            read(watch);
        }
    }

    void add(Tracking.Watch watch) {
        watches.put(ByteBuffer.wrap(watch.key), watch);
        read(watch);
    }

    void remove(Tracking.Watch watch) {
        watches.remove(ByteBuffer.wrap(watch.key), watch);
    }

    List<Tracking.Watch> watches() {
        return List.copyOf(watches.values());
    }

    Map<String, Listening> channels() {
        return new HashMap<>(channels);
    }

    void listen(String channel, Listening listening) {
        if (channels.putIfAbsent(channel, listening) == null) {
            StatefulRedisPubSubConnection<byte[], byte[]> current = connection;
            if (current != null) {
                current.async().subscribe(Text.bytes(channel));
            }
        }
    }

    void close() {
        closed = true;
        StatefulRedisPubSubConnection<byte[], byte[]> current = connection;
        if (current != null) {
            current.closeAsync();
        }
    }
}
