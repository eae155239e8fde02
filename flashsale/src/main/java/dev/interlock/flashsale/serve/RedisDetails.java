// SPDX-License-Identifier: Apache-2.0
package dev.interlock.flashsale.serve;

import io.lettuce.core.RedisURI;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.data.redis.autoconfigure.DataRedisConnectionDetails;
import org.springframework.boot.ssl.SslBundle;

/** Tells the starter where Redis is: as soon as it is asked, which is when an embedded one has to have started. */
final class RedisDetails implements DataRedisConnectionDetails {
    private final Backends backends;

    RedisDetails(Backends backends) {
        this.backends = backends;
    }

    private List<RedisURI> uris() {
        return backends.redisUris().stream().map(RedisURI::create).toList();
    }

    private RedisURI first() {
        return uris().get(0);
    }

    private static Node node(RedisURI uri) {
        return new Node(uri.getHost(), uri.getPort());
    }

    @Override
    public @Nullable String getUsername() {
        return first().getCredentialsProvider().resolveCredentials().block().getUsername();
    }

    @Override
    public @Nullable String getPassword() {
        char[] password =
                first().getCredentialsProvider().resolveCredentials().block().getPassword();
        return password == null ? null : new String(password);
    }

    @Override
    public @Nullable SslBundle getSslBundle() {
        return first().isSsl() ? SslBundle.systemDefault() : null;
    }

    @Override
    public @Nullable Standalone getStandalone() {
        RedisURI uri = first();
        return uris().size() > 1 || uri.getSentinelMasterId() != null
                ? null
                : Standalone.of(uri.getHost(), uri.getPort(), uri.getDatabase());
    }

    @Override
    public @Nullable Cluster getCluster() {
        List<RedisURI> all = uris();
        return all.size() > 1 ? () -> all.stream().map(RedisDetails::node).toList() : null;
    }

    @Override
    public @Nullable Sentinel getSentinel() {
        RedisURI uri = first();
        return uri.getSentinelMasterId() == null ? null : new Sentinels(uri);
    }

    private record Sentinels(RedisURI uri) implements Sentinel {
        @Override
        public int getDatabase() {
            return uri.getDatabase();
        }

        @Override
        public String getMaster() {
            return uri.getSentinelMasterId();
        }

        @Override
        public List<Node> getNodes() {
            return uri.getSentinels().stream().map(RedisDetails::node).toList();
        }

        @Override
        public @Nullable String getUsername() {
            return null;
        }

        @Override
        public @Nullable String getPassword() {
            return null;
        }
    }
}
