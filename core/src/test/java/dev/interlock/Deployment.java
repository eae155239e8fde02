// SPDX-License-Identifier: Apache-2.0
package dev.interlock;

import dev.interlock.embedded.RedisCluster;
import dev.interlock.embedded.RedisSentinel;
import dev.interlock.embedded.RedisServer;
import io.lettuce.core.AbstractRedisClient;
import io.lettuce.core.RedisClient;
import io.lettuce.core.cluster.RedisClusterClient;
import io.lettuce.core.cluster.api.sync.RedisClusterCommands;
import io.lettuce.core.codec.RedisCodec;
import io.lettuce.core.codec.StringCodec;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.TimeUnit;

/**
 * The Redis of one test class, empty at its start: a server of its own, or the one cluster or the one master with sentinels
 * that all classes of this JVM share one after the other, because those take seconds to start.
 */
public final class Deployment implements AutoCloseable {
    private static final Duration STEADY = Duration.ofSeconds(15);

    private final String[] uris;
    private final Optional<RedisServer> alone;
    private final AbstractRedisClient client;

    /** Started when first used; they end with the JVM. */
    private static final class SharedCluster {
        static final RedisCluster CLUSTER =
                RedisCluster.builder().nodeTimeout(STEADY).start();
    }

    private static final class SharedSentinel {
        static final RedisSentinel SENTINEL =
                RedisSentinel.builder().downAfter(STEADY).start();
    }

    private Deployment(String[] uris, Optional<RedisServer> alone, AbstractRedisClient client) {
        this.uris = uris;
        this.alone = alone;
        this.client = client;
    }

    static Deployment of(Topology topology) {
        Deployment deployment = switch (topology) {
            case STANDALONE -> {
                RedisServer server = RedisServer.start();
                yield single(server.uri(), Optional.of(server));
            }
            case CLUSTER -> cluster(SharedCluster.CLUSTER.uris()[0]); // it finds the others
            case SENTINEL -> single(SharedSentinel.SENTINEL.uri(), Optional.empty());
        };
        deployment.redis().flushall();
        return deployment;
    }

    private static Deployment single(String uri, Optional<RedisServer> alone) {
        return new Deployment(new String[] {uri}, alone, RedisClient.create(uri));
    }

    private static Deployment cluster(String uri) {
        return new Deployment(new String[] {uri}, Optional.empty(), RedisClusterClient.create(uri));
    }

    public String[] uris() {
        return uris;
    }

    /** The server of {@link Topology#STANDALONE}. */
    public RedisServer alone() {
        return alone.orElseThrow();
    }

    /** A plain client beside Interlock. */
    public RedisClusterCommands<String, String> redis() {
        return redis(StringCodec.UTF8);
    }

    /** A plain client beside Interlock, on a connection of its own that ends with this. */
    public <T> RedisClusterCommands<T, T> redis(RedisCodec<T, T> codec) {
        return client instanceof RedisClusterClient nodes
                ? nodes.connect(codec).sync()
                : ((RedisClient) client).connect(codec).sync();
    }

    @Override
    public void close() {
        client.shutdown(0, 1, TimeUnit.SECONDS);
        alone.ifPresent(RedisServer::close);
    }
}
