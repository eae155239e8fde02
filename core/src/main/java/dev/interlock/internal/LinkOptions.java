// SPDX-License-Identifier: Apache-2.0
package dev.interlock.internal;

import io.lettuce.core.ClientOptions;
import io.lettuce.core.SocketOptions;
import io.lettuce.core.SslOptions;
import io.lettuce.core.TimeoutOptions;
import io.lettuce.core.cluster.ClusterClientOptions;
import io.lettuce.core.cluster.ClusterTopologyRefreshOptions;
import io.lettuce.core.metrics.CommandLatencyRecorder;
import io.lettuce.core.protocol.ProtocolVersion;
import io.lettuce.core.resource.ClientResources;
import io.lettuce.core.resource.DefaultClientResources;
import io.lettuce.core.resource.Delay;
import io.lettuce.core.resource.NettyCustomizer;
import io.netty.bootstrap.Bootstrap;
import io.netty.channel.Channel;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** How Interlock opens its connections; the reasons are in {@code docs/decisions.md}. */
final class LinkOptions {
    static final Duration CONNECT_TIMEOUT = Duration.ofSeconds(1);

    /** How long a node of a cluster may be silent; each look at the topology waits for that about three times. */
    static final Duration SILENT_NODE = Duration.ofMillis(300);

    private static final Duration CLUSTER_CONNECT_TIMEOUT = Duration.ofMillis(500);
    private static final Duration TOPOLOGY_REFRESH = Duration.ofMillis(500);
    private static final Duration ADAPTIVE_REFRESH = Duration.ofMillis(200);
    private static final Duration MAX_RECONNECT_DELAY = Duration.ofMillis(250);
    private static final int FLUSH_AFTER = 256;

    private LinkOptions() {}

    /** Own resources, or ones that share the threads of the given; to be shut down either way, which leaves what is shared. */
    static ClientResources resources(@Nullable ClientResources shared) {
        ClientResources.Builder builder = shared == null ? DefaultClientResources.builder() : sharing(shared);
        NettyCustomizer theirs = shared == null ? new NettyCustomizer() {} : shared.nettyCustomizer();
        return builder.commandLatencyRecorder(CommandLatencyRecorder.disabled())
                .reconnectDelay(Delay.equalJitter(Duration.ofMillis(1), MAX_RECONNECT_DELAY, 2, TimeUnit.MILLISECONDS))
                .nettyCustomizer(consolidatingFlushes(theirs))
                .build();
    }

    /** A copy alone takes itself for the owner of what it was copied with; what is given to it stays the giver's. */
    private static ClientResources.Builder sharing(ClientResources shared) {
        return shared.mutate()
                .eventLoopGroupProvider(shared.eventLoopGroupProvider())
                .eventExecutorGroup(shared.eventExecutorGroup())
                .timer(shared.timer());
    }

    static ClientOptions standalone(SslOptions ssl) {
        return apply(ClientOptions.builder(), ssl, CONNECT_TIMEOUT).build();
    }

    /** All triggers are the default of Lettuce 7 but not of the Lettuce 6 that older Spring Boot brings. */
    @SuppressWarnings("deprecation")
    static ClusterClientOptions cluster(SslOptions ssl) {
        ClusterClientOptions.Builder builder = ClusterClientOptions.builder()
                .validateClusterNodeMembership(false)
                .topologyRefreshOptions(ClusterTopologyRefreshOptions.builder()
                        .enablePeriodicRefresh(TOPOLOGY_REFRESH)
                        .enableAllAdaptiveRefreshTriggers()
                        .adaptiveRefreshTriggersTimeout(ADAPTIVE_REFRESH)
                        .build());
        apply(builder, ssl, CLUSTER_CONNECT_TIMEOUT);
        return builder.build();
    }

    /** Rejecting while disconnected is what keeps Lettuce from sending a command a second time after a reconnect. */
    private static ClientOptions.Builder apply(ClientOptions.Builder builder, SslOptions ssl, Duration connectTimeout) {
        return builder.disconnectedBehavior(ClientOptions.DisconnectedBehavior.REJECT_COMMANDS)
                .autoReconnect(true)
                .protocolVersion(ProtocolVersion.RESP3)
                .sslOptions(ssl)
                .timeoutOptions(TimeoutOptions.builder().timeoutCommands(false).build())
                .socketOptions(SocketOptions.builder()
                        .connectTimeout(connectTimeout)
                        .tcpNoDelay(true)
                        .build());
    }

    private static NettyCustomizer consolidatingFlushes(NettyCustomizer theirs) {
        return new NettyCustomizer() {
            @Override
            public void afterBootstrapInitialized(Bootstrap bootstrap) {
                theirs.afterBootstrapInitialized(bootstrap);
            }

            @Override
            public void afterChannelInitialized(Channel channel) {
                theirs.afterChannelInitialized(channel);
                channel.pipeline().addFirst(new PromptFlushes(FLUSH_AFTER));
            }
        };
    }
}
