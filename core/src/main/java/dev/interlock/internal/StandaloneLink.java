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
import java.net.SocketAddress;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;

/** One master, at a fixed address or found through sentinels. */
final class StandaloneLink implements RedisLink {
    private final RedisClient client;
    private final RedisURI uri;
    private final StatefulRedisConnection<byte[], byte[]> connection;
    private final List<Runnable> callbacks = new CopyOnWriteArrayList<>();

    StandaloneLink(ClientResources resources, RedisURI uri, SslOptions ssl) {
        this.uri = uri;
        client = RedisClient.create(resources, uri);
        client.setOptions(LinkOptions.standalone(ssl));
        client.addListener(new RedisConnectionStateListener() {
            @Override
            public void onRedisConnected(RedisChannelHandler<?, ?> handler, SocketAddress address) {
                callbacks.forEach(Runnable::run);
            }
        });
        connection = client.connect(ByteArrayCodec.INSTANCE);
    }

    /** Whether the server turned out to be a node of a cluster. */
    boolean isClusterNode() {
        return NodeQueries.isClusterNode(connection);
    }

    @Override
    public boolean cluster() {
        return false;
    }

    @Override
    public void dispatch(RedisCall call) {
        connection.dispatch(call);
    }

    @Override
    public String nodeOf(int slot) {
        return "master";
    }

    @Override
    public CompletionStage<StatefulRedisConnection<byte[], byte[]>> master(int slot) {
        return CompletableFuture.completedFuture(connection);
    }

    @Override
    public List<CompletionStage<StatefulRedisConnection<byte[], byte[]>>> masters() {
        return List.of(master(0));
    }

    @Override
    public CompletionStage<StatefulRedisPubSubConnection<byte[], byte[]>> open(int slot) {
        return client.connectPubSubAsync(ByteArrayCodec.INSTANCE, uri);
    }

    @Override
    public void onConnected(Runnable callback) {
        callbacks.add(callback);
    }

    @Override
    public void close() {
        connection.close();
        client.shutdown(0, 2, TimeUnit.SECONDS);
    }
}
