// SPDX-License-Identifier: Apache-2.0
package dev.interlock.internal;

import io.lettuce.core.RedisChannelHandler;
import io.lettuce.core.RedisConnectionStateListener;
import io.lettuce.core.TrackingArgs;
import io.lettuce.core.api.StatefulRedisConnection;
import io.lettuce.core.api.push.PushMessage;
import io.lettuce.core.cluster.SlotHash;
import java.net.SocketAddress;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Tells when keys change, by client-side caching pushes (CLIENT TRACKING, RESP3) on one connection per node that is opened
 * when first needed. A push may be lost: a {@link Watch} says whether it is armed right now, and what depends on it needs a
 * second, slower way to notice. Thread-safe.
 */
public final class Tracking implements AutoCloseable {
    private static final Logger log = LoggerFactory.getLogger(Tracking.class);

    private final RedisLink link;
    private final Map<String, Node> nodes = new ConcurrentHashMap<>();

    Tracking(RedisLink link) {
        this.link = link;
    }

    /**
     * Watches a key until the watch is closed.
     *
     * @param key the key; it need not exist
     * @param onChange called after each change and when the connection is lost, on an I/O thread
     * @return the watch, not yet armed
     */
    public Watch watch(byte[] key, Runnable onChange) {
        int slot = SlotHash.getSlot(key);
        Node node = nodes.computeIfAbsent(link.nodeOf(slot), name -> new Node(link.open(slot)));
        Watch watch = new Watch(key, onChange, node);
        node.add(watch);
        return watch;
    }

    @Override
    public void close() {
        nodes.values().forEach(Node::close);
    }

    /** One watched key. */
    public static final class Watch implements AutoCloseable {
        private final byte[] key;
        private final Runnable onChange;
        private final Node node;
        private volatile long changes;
        private volatile boolean armed;

        private Watch(byte[] key, Runnable onChange, Node node) {
            this.key = key;
            this.onChange = onChange;
            this.node = node;
        }

        /**
         * How many changes were told so far; equal values mean that none was told in between.
         *
         * @return a number that grows
         */
        public long changes() {
            return changes;
        }

        /**
         * Whether the server has promised to tell the next change.
         *
         * @return false before the first answer, between a change and the next reading, and while disconnected
         */
        public boolean armed() {
            return armed;
        }

        private synchronized void changed() {
            armed = false;
            changes = changes + 1;
            onChange.run();
        }

        /** Arms the watch for the change that {@code expected} counts up to, unless another came in the meantime. */
        private synchronized void arm(long expected) {
            armed = changes == expected;
        }

        @Override
        public void close() {
            node.remove(this);
        }
    }

    private static final class Node {
        private final Map<ByteBuffer, Watch> watches = new ConcurrentHashMap<>();
        private volatile @Nullable StatefulRedisConnection<byte[], byte[]> connection;
        private final CompletionStage<StatefulRedisConnection<byte[], byte[]>> opening;

        Node(CompletionStage<StatefulRedisConnection<byte[], byte[]>> opening) {
            this.opening = opening;
            opening.whenComplete((opened, error) -> {
                if (error == null) {
                    use(opened);
                } else {
                    log.warn("no connection for client tracking; changes will be noticed by polling only", error);
                }
            });
        }

        private void use(StatefulRedisConnection<byte[], byte[]> opened) {
            opened.addListener(message -> pushed(message));
            opened.addListener(new RedisConnectionStateListener() {
                @Override
                public void onRedisConnected(RedisChannelHandler<?, ?> handler, SocketAddress address) {
                    startTracking(opened);
                }

                @Override
                public void onRedisDisconnected(RedisChannelHandler<?, ?> handler) {
                    watches.values().forEach(Watch::changed);
                }
            });
            connection = opened;
            startTracking(opened);
        }

        private void startTracking(StatefulRedisConnection<byte[], byte[]> opened) {
            opened.async().clientTracking(TrackingArgs.Builder.enabled()).whenComplete((ok, error) -> {
                if (error == null) {
                    watches.values().forEach(this::read);
                } else {
                    log.warn("CLIENT TRACKING was refused; changes will be noticed by polling only", error);
                }
            });
        }

        /** The server tracks a key from the moment it was read. */
        private void read(Watch watch) {
            StatefulRedisConnection<byte[], byte[]> current = connection;
            if (current != null) {
                long expected = watch.changes();
                current.async().get(watch.key).whenComplete((value, error) -> {
                    if (error == null) {
                        watch.arm(expected);
                    }
                });
            }
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

        private void changed(@Nullable Watch watch) {
            if (watch != null) {
                watch.changed();
                read(watch);
            }
        }

        void add(Watch watch) {
            watches.put(ByteBuffer.wrap(watch.key), watch);
            read(watch);
        }

        void remove(Watch watch) {
            watches.remove(ByteBuffer.wrap(watch.key), watch);
        }

        void close() {
            opening.thenAccept(StatefulRedisConnection::closeAsync);
        }
    }
}
