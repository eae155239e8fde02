// SPDX-License-Identifier: Apache-2.0
package dev.interlock.spring.test;

import dev.interlock.embedded.RedisServer;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.data.redis.autoconfigure.DataRedisConnectionDetails;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/**
 * A real Redis on a free port of this machine, and the connection details that lead to it. Define a {@link RedisServer} bean for
 * one with other settings.
 */
@Configuration(proxyBeanMethods = false)
public class EmbeddedRedisConfiguration {
    /** Made by Spring. */
    public EmbeddedRedisConfiguration() {}

    @Bean(destroyMethod = "close")
    @ConditionalOnMissingBean
    RedisServer interlockTestRedis() {
        return RedisServer.start();
    }

    @Bean
    DataRedisConnectionDetails interlockTestConnection(RedisServer server) {
        return new EmbeddedConnection(server.port());
    }

    /** The server's address. */
    private record EmbeddedConnection(int port) implements DataRedisConnectionDetails {
        @Override
        public Standalone getStandalone() {
            return Standalone.of("127.0.0.1", port);
        }
    }
}
