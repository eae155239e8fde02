// SPDX-License-Identifier: Apache-2.0
package dev.interlock.internal;

import io.lettuce.core.RedisChannelHandler;
import io.lettuce.core.RedisClient;
import io.lettuce.core.RedisConnectionStateListener;
import io.lettuce.core.RedisURI;
import io.lettuce.core.SslOptions;
import io.lettuce.core.api.StatefulRedisConnection;
import io.lettuce.core.codec.ByteArrayCodec;
import io.lettuce.core.pubsub.StatefulRedisPubSubConnection;
import io.lettuce.core.resource.ClientResources;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** One master, at a fixed address or found through sentinels. */
final class StandaloneLink implements RedisLink {
    /** Calls that were sent to the former master may still be answered. */
    private static final long GRACE_MILLIS = 1_000;

    private final ClientResources resources;
    private final RedisClient client;
    private final List<Runnable> callbacks = new CopyOnWriteArrayList<>();
    private final @Nullable SentinelWatch sentinels;
    private volatile Master master;
    private volatile @Nullable SocketAddress lastConnected;

    /** The master of the moment; {@code name} is another after each fail-over. */
    private record Master(String name, RedisURI uri, StatefulRedisConnection<byte[], byte[]> connection) {}

    StandaloneLink(ClientResources resources, RedisURI uri, SslOptions ssl) {
        this.resources = resources;
        client = RedisClient.create(resources, uri);
        client.setOptions(LinkOptions.standalone(ssl));
        client.addListener(new RedisConnectionStateListener() {
            @Override
            public void onRedisConnected(RedisChannelHandler<?, ?> handler, SocketAddress address) {
                lastConnected = address;
                runCallbacks();
            }
        });
        master = new Master("master", uri, client.connect(ByteArrayCodec.INSTANCE));
        sentinels = !uri.getSentinels().isEmpty() && lastConnected instanceof InetSocketAddress first
                ? new SentinelWatch(resources, ssl, uri, first, this::follow)
                : null;
    }

    private void runCallbacks() {
        callbacks.forEach(Runnable::run);
    }

    private CompletionStage<?> follow(RedisURI moved) {
        return client.connectAsync(ByteArrayCodec.INSTANCE, moved).thenAccept(opened -> {
            StatefulRedisConnection<byte[], byte[]> former = master.connection;
            master = new Master(moved.getHost() + ':' + moved.getPort(), moved, opened);
            resources.eventExecutorGroup().schedule(former::closeAsync, GRACE_MILLIS, TimeUnit.MILLISECONDS);
            runCallbacks();
        });
    }

    /** Whether the server turned out to be a node of a cluster. */
    boolean isClusterNode() {
        return NodeQueries.isClusterNode(master.connection);
    }

    @Override
    public boolean cluster() {
        return false;
    }

    @Override
    public void dispatch(RedisCall call) {
        master.connection.dispatch(call);
    }

    @Override
    public String nodeOf(int slot) {
        return master.name;
    }

    @Override
    public CompletionStage<StatefulRedisConnection<byte[], byte[]>> master(int slot) {
        return CompletableFuture.completedFuture(master.connection);
    }

    @Override
    public List<CompletionStage<StatefulRedisConnection<byte[], byte[]>>> masters() {
        return List.of(master(0));
    }

    @Override
    public CompletionStage<StatefulRedisPubSubConnection<byte[], byte[]>> open(int slot) {
        return client.connectPubSubAsync(ByteArrayCodec.INSTANCE, master.uri);
    }

    @Override
    public void onConnected(Runnable callback) {
        callbacks.add(callback);
    }

    @Override
    public void close() {
        if (sentinels != null) {
            sentinels.close();
        }
        master.connection.close();
        client.shutdown(0, 2, TimeUnit.SECONDS);
    }
}
