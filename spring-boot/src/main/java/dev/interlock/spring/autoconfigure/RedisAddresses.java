// SPDX-License-Identifier: Apache-2.0
package dev.interlock.spring.autoconfigure;

import io.lettuce.core.RedisURI;
import io.lettuce.core.SslOptions;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.data.redis.autoconfigure.DataRedisConnectionDetails;
import org.springframework.boot.data.redis.autoconfigure.DataRedisConnectionDetails.Node;
import org.springframework.boot.data.redis.autoconfigure.DataRedisConnectionDetails.Sentinel;
import org.springframework.boot.data.redis.autoconfigure.DataRedisConnectionDetails.Standalone;
import org.springframework.boot.ssl.SslBundle;

/** Where Redis is and how to get in, in the words of Lettuce. */
record RedisAddresses(DataRedisConnectionDetails details) {
    /** One address of a standalone server or of sentinels, or those of several nodes of a cluster. */
    List<RedisURI> uris() {
        Sentinel sentinel = details.getSentinel();
        if (sentinel != null) {
            return List.of(sentinels(sentinel));
        }
        DataRedisConnectionDetails.Cluster cluster = details.getCluster();
        if (cluster != null) {
            return cluster.getNodes().stream().map(node -> at(node, 0)).toList();
        }
        Standalone standalone = details.getStandalone();
        if (standalone == null) {
            throw new IllegalStateException(
                    "the connection details of Redis name no server, no sentinels and no cluster");
        }
        return List.of(at(new Node(standalone.getHost(), standalone.getPort()), standalone.getDatabase()));
    }

    private RedisURI at(Node node, int database) {
        return open(
                RedisURI.builder().withHost(node.host()).withPort(node.port()).withDatabase(database));
    }

    private RedisURI sentinels(Sentinel sentinel) {
        RedisURI.Builder builder =
                RedisURI.builder().withSentinelMasterId(sentinel.getMaster()).withDatabase(sentinel.getDatabase());
        for (Node node : sentinel.getNodes()) {
            RedisURI.Builder uri = RedisURI.builder().withHost(node.host()).withPort(node.port());
            builder.withSentinel(encrypt(authenticate(uri, sentinel.getUsername(), sentinel.getPassword()))
                    .build());
        }
        return open(builder);
    }

    private RedisURI open(RedisURI.Builder builder) {
        return encrypt(authenticate(builder, details.getUsername(), details.getPassword()))
                .build();
    }

    private RedisURI.Builder encrypt(RedisURI.Builder builder) {
        return builder.withSsl(details.getSslBundle() != null);
    }

    private static RedisURI.Builder authenticate(
            RedisURI.Builder builder, @Nullable String user, @Nullable String password) {
        if (password == null || password.isEmpty()) {
            return builder;
        }
        return user == null || user.isEmpty()
                ? builder.withPassword(password.toCharArray())
                : builder.withAuthentication(user, password.toCharArray());
    }

    /** Key stores, protocols and ciphers. */
    SslOptions ssl() {
        SslBundle bundle = details.getSslBundle();
        if (bundle == null) {
            return SslOptions.create();
        }
        SslOptions.Builder builder = SslOptions.builder()
                .keyManager(bundle.getManagers().getKeyManagerFactory())
                .trustManager(bundle.getManagers().getTrustManagerFactory());
        String @Nullable [] ciphers = bundle.getOptions().getCiphers();
        if (ciphers != null) {
            builder.cipherSuites(ciphers);
        }
        String @Nullable [] protocols = bundle.getOptions().getEnabledProtocols();
        if (protocols != null) {
            builder.protocols(protocols);
        }
        return builder.build();
    }
}
