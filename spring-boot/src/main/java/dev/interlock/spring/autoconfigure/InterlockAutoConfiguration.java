// SPDX-License-Identifier: Apache-2.0
package dev.interlock.spring.autoconfigure;

import dev.interlock.Interlock;
import dev.interlock.InterlockBuilder;
import io.lettuce.core.resource.ClientResources;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBooleanProperty;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.boot.data.redis.autoconfigure.DataRedisAutoConfiguration;
import org.springframework.boot.data.redis.autoconfigure.DataRedisConnectionDetails;
import org.springframework.context.annotation.Bean;

/** Connects one {@link Interlock} to the Redis of {@code spring.data.redis.*}, over connections of its own. */
@AutoConfiguration(after = DataRedisAutoConfiguration.class)
@ConditionalOnClass({Interlock.class, DataRedisConnectionDetails.class})
@ConditionalOnBooleanProperty(name = "interlock.enabled", matchIfMissing = true)
@EnableConfigurationProperties(InterlockProperties.class)
public final class InterlockAutoConfiguration {
    @Bean(destroyMethod = "close")
    @ConditionalOnMissingBean
    Interlock interlock(
            InterlockProperties properties,
            DataRedisConnectionDetails details,
            ObjectProvider<ClientResources> shared) {
        RedisAddresses addresses = new RedisAddresses(details);
        InterlockBuilder builder = Interlock.builder()
                .uri(addresses.uris())
                .sslOptions(addresses.ssl())
                .keyPrefix(properties.keyPrefix())
                .commandTimeout(properties.commandTimeout())
                .maxPending(properties.maxPending());
        shared.ifUnique(builder::clientResources);
        return builder.build();
    }
}
