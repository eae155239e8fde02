// SPDX-License-Identifier: Apache-2.0
package dev.interlock.internal;

import io.lettuce.core.cluster.SlotHash;
import io.lettuce.core.pubsub.StatefulRedisPubSubConnection;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executor;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * What the servers push: changes of keys, by client-side caching (CLIENT TRACKING, RESP3), and messages of channels; both
 * on one connection per node that is opened when first needed. A push may be lost: a {@link Watch} says whether it is armed
 * right now, and what depends on a push needs a second, slower way to notice. Thread-safe.
 */
public final class Tracking implements AutoCloseable {
    private final RedisLink link;
    private final Executor executor;
    private final Map<String, PushNode> nodes = new ConcurrentHashMap<>();

    Tracking(RedisLink link, Executor executor) {
        this.link = link;
        this.executor = executor;
        link.onConnected(this::follow);
    }

    /** After a fail-over, or when slots have moved: everything goes to the node that serves its key now. */
    private void follow() {
        nodes.forEach((name, node) -> {
            for (Watch watch : node.watches()) {
                if (!link.nodeOf(watch.slot).equals(name)) {
                    node.remove(watch);
                    watch.moveTo(this);
                }
            }
            node.channels().forEach((channel, listening) -> {
                if (!link.nodeOf(listening.slot()).equals(name)) {
                    node(listening.slot()).listen(channel, listening);
                }
            });
            if (!link.isMaster(name) && nodes.remove(name, node)) {
                node.close();
            }
        });
    }

    /**
     * Watches a key until the watch is closed.
     *
     * @param key the key; it need not exist
     * @param onChange called after each change and when the connection is lost, on an I/O thread
     * @return the watch, not yet armed
     */
    public Watch watch(byte[] key, Runnable onChange) {
        return watch(key, onChange, value -> {});
    }

    /**
     * Watches a string key and what it holds until the watch is closed. One watch per key: a second one replaces the first.
     *
     * @param key the key; it need not exist
     * @param onChange called after each change and when the connection is lost, on an I/O thread
     * @param onRead called with the value, or null, first and after each change and reconnection, on an I/O thread
     * @return the watch, not yet armed
     */
    public Watch watch(byte[] key, Runnable onChange, Consumer<byte @Nullable []> onRead) {
        PushNode node = node(SlotHash.getSlot(key));
        Watch watch = new Watch(key, onChange, onRead, node);
        node.add(watch);
        return watch;
    }

    /**
     * Listens to a channel on the node of a key, until this Interlock is closed. Repetitions cost nothing.
     *
     * @param key any key of the node
     * @param channel the channel
     * @param onMessage called with each message, on an I/O thread
     */
    public void listen(byte[] key, String channel, Consumer<byte[]> onMessage) {
        int slot = SlotHash.getSlot(key);
        node(slot).listen(channel, new PushNode.Listening(slot, onMessage));
    }

    private PushNode node(int slot) {
        String name = link.nodeOf(slot);
        PushNode known = nodes.get(name);
        return known != null
                ? known
                : nodes.computeIfAbsent(name, absent -> new PushNode(() -> open(slot), link.cluster()));
    }

    /** Not on the caller's thread: connecting loads classes, which would pin a virtual one. */
    private CompletionStage<StatefulRedisPubSubConnection<byte[], byte[]>> open(int slot) {
        return CompletableFuture.supplyAsync(() -> link.open(slot), executor).thenCompose(opening -> opening);
    }

    @Override
    public void close() {
        nodes.values().forEach(PushNode::close);
    }

    /** One watched key. */
    public static final class Watch implements AutoCloseable {
        final byte[] key;
        private final int slot;
        private final Runnable onChange;
        private final Consumer<byte @Nullable []> onRead;
        private PushNode node;
        private volatile long changes;
        private volatile boolean armed;
        private boolean closed;

        private Watch(byte[] key, Runnable onChange, Consumer<byte @Nullable []> onRead, PushNode node) {
            this.key = key;
            this.slot = SlotHash.getSlot(key);
            this.onChange = onChange;
            this.onRead = onRead;
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

        synchronized void changed() {
            armed = false;
            changes = changes + 1;
            onChange.run();
        }

        /** Arms the watch for the change that {@code expected} counts up to, unless another came in the meantime. */
        synchronized void arm(long expected) {
            armed = changes == expected;
        }

        void read(byte @Nullable [] value) {
            onRead.accept(value);
        }

        /** What changed on the way was told by nobody, so it counts as a change. */
        private void moveTo(Tracking tracking) {
            changed();
            synchronized (this) {
                if (!closed) {
                    node = tracking.node(slot);
                    node.add(this);
                }
            }
        }

        @Override
        public synchronized void close() {
            closed = true;
            node.remove(this);
        }
    }
}
