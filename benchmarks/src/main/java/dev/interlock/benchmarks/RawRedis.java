// SPDX-License-Identifier: Apache-2.0
package dev.interlock.benchmarks;

import dev.interlock.pool.Pool;
import io.lettuce.core.ClientOptions;
import io.lettuce.core.RedisClient;
import io.lettuce.core.RedisURI;
import io.lettuce.core.api.StatefulRedisConnection;
import io.lettuce.core.codec.ByteArrayCodec;
import io.lettuce.core.metrics.CommandLatencyRecorder;
import io.lettuce.core.resource.ClientResources;
import io.lettuce.core.resource.DefaultClientResources;
import io.lettuce.core.resource.NettyCustomizer;
import io.netty.channel.Channel;
import io.netty.handler.flush.FlushConsolidationHandler;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.TimeUnit;

/** Lettuce as an application uses it, to compare with. */
final class RawRedis implements AutoCloseable {
    private static final int FLUSH_AFTER = 256;

    private final ClientResources resources;
    private final RedisClient client;

    RawRedis(int port, boolean consolidateFlushes) {
        NettyCustomizer customizer = new NettyCustomizer() {
            @Override
            public void afterChannelInitialized(Channel channel) {
                if (consolidateFlushes) {
                    channel.pipeline().addFirst(new FlushConsolidationHandler(FLUSH_AFTER, true));
                }
            }
        };
        resources = DefaultClientResources.builder()
                .commandLatencyRecorder(CommandLatencyRecorder.disabled())
                .nettyCustomizer(customizer)
                .build();
        client = RedisClient.create(resources, RedisURI.create("127.0.0.1", port));
        client.setOptions(ClientOptions.builder().build());
    }

    StatefulRedisConnection<byte[], byte[]> connect() {
        return client.connect(ByteArrayCodec.INSTANCE);
    }

    StatefulRedisConnection<String, String> connectText() {
        return client.connect();
    }

    /** Interlock's own script, so that a single call does exactly the work of a combined one. */
    static String issueScript() {
        try (InputStream in = Pool.class.getResourceAsStream("issue.lua")) {
            if (in == null) {
                throw new IllegalStateException("issue.lua is not on the class path");
            }
            return new String(in.readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new IllegalStateException(e);
        }
    }

    static byte[][] poolKeys(String pool) {
        String tag = "interlock:pool:{" + pool + ".0}:";
        return new byte[][] {bytes(tag + "meta"), bytes(tag + "claims"), bytes(tag + "outbox"), bytes(tag + "deadlines")};
    }

    static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    @Override
    public void close() {
        client.shutdown();
        resources.shutdown(0, 1, TimeUnit.SECONDS).awaitUninterruptibly();
    }
}
