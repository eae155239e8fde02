// SPDX-License-Identifier: Apache-2.0
package dev.interlock.internal;

import io.lettuce.core.RedisChannelHandler;
import io.lettuce.core.RedisClient;
import io.lettuce.core.RedisConnectionStateListener;
import io.lettuce.core.RedisException;
import io.lettuce.core.RedisURI;
import io.lettuce.core.SslOptions;
import io.lettuce.core.api.StatefulRedisConnection;
import io.lettuce.core.cluster.RedisClusterClient;
import io.lettuce.core.cluster.api.StatefulRedisClusterConnection;
import io.lettuce.core.cluster.event.ClusterTopologyChangedEvent;
import io.lettuce.core.cluster.models.partitions.RedisClusterNode;
import io.lettuce.core.codec.ByteArrayCodec;
import io.lettuce.core.pubsub.StatefulRedisPubSubConnection;
import io.lettuce.core.resource.ClientResources;
import java.net.SocketAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import reactor.core.Disposable;

/** A Redis Cluster of any size. */
final class ClusterLink implements RedisLink {
    private final RedisClusterClient client;
    private final RedisClient nodes;
    private final StatefulRedisClusterConnection<byte[], byte[]> connection;
    private final List<Runnable> callbacks = new CopyOnWriteArrayList<>();
    private final Disposable topologyChanges;

    ClusterLink(ClientResources resources, List<RedisURI> uris, SslOptions ssl) {
        client = RedisClusterClient.create(resources, uris);
        client.setOptions(LinkOptions.cluster(ssl));
        client.addListener(new RedisConnectionStateListener() {
            @Override
            public void onRedisConnected(RedisChannelHandler<?, ?> handler, SocketAddress address) {
                runCallbacks();
            }
        });
        nodes = RedisClient.create(resources);
        nodes.setOptions(LinkOptions.standalone(ssl));
        topologyChanges = resources
                .eventBus()
                .get()
                .filter(ClusterTopologyChangedEvent.class::isInstance)
                .subscribe(event -> runCallbacks());
        connection = client.connect(ByteArrayCodec.INSTANCE);
    }

    private void runCallbacks() {
        callbacks.forEach(Runnable::run);
    }

    @Override
    public boolean cluster() {
        return true;
    }

    @Override
    public void dispatch(RedisCall call) {
        connection.dispatch(call);
    }

    @Override
    public String nodeOf(int slot) {
        RedisClusterNode node = connection.getPartitions().getPartitionBySlot(slot);
        return node == null ? "nobody" : node.getNodeId();
    }

    @Override
    public CompletionStage<StatefulRedisConnection<byte[], byte[]>> master(int slot) {
        RedisClusterNode node = connection.getPartitions().getPartitionBySlot(slot);
        if (node == null) {
            return CompletableFuture.failedFuture(unserved(slot));
        }
        return connection.getConnectionAsync(node.getNodeId());
    }

    @Override
    public List<CompletionStage<StatefulRedisConnection<byte[], byte[]>>> masters() {
        List<CompletionStage<StatefulRedisConnection<byte[], byte[]>>> masters = new ArrayList<>();
        for (RedisClusterNode node : connection.getPartitions()) {
            if (node.is(RedisClusterNode.NodeFlag.UPSTREAM) && !node.hasNoSlots()) {
                masters.add(connection.getConnectionAsync(node.getNodeId()));
            }
        }
        return masters;
    }

    @Override
    public CompletionStage<StatefulRedisPubSubConnection<byte[], byte[]>> open(int slot) {
        RedisClusterNode node = connection.getPartitions().getPartitionBySlot(slot);
        if (node == null) {
            return CompletableFuture.failedFuture(unserved(slot));
        }
        return nodes.connectPubSubAsync(ByteArrayCodec.INSTANCE, node.getUri());
    }

    private static RedisException unserved(int slot) {
        return new RedisException("no node of the cluster serves slot " + slot);
    }

    @Override
    public void onConnected(Runnable callback) {
        callbacks.add(callback);
    }

    @Override
    public void close() {
        topologyChanges.dispose();
        connection.close();
        nodes.shutdown(0, 2, TimeUnit.SECONDS);
        client.shutdown(0, 2, TimeUnit.SECONDS);
    }
}
