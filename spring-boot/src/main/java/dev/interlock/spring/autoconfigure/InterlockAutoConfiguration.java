// SPDX-License-Identifier: Apache-2.0
package dev.interlock.spring.autoconfigure;

import dev.interlock.Interlock;
import dev.interlock.InterlockBuilder;
import dev.interlock.InterlockListener;
import io.lettuce.core.resource.ClientResources;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBooleanProperty;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.boot.data.redis.autoconfigure.DataRedisAutoConfiguration;
import org.springframework.boot.data.redis.autoconfigure.DataRedisConnectionDetails;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.ImportRuntimeHints;
import org.springframework.core.env.Environment;

/** Connects one {@link Interlock} to the Redis of {@code spring.data.redis.*}, over connections of its own. */
@AutoConfiguration(after = DataRedisAutoConfiguration.class)
@ConditionalOnClass({Interlock.class, DataRedisConnectionDetails.class})
@ConditionalOnBooleanProperty(name = "interlock.enabled", matchIfMissing = true)
@EnableConfigurationProperties(InterlockProperties.class)
@ImportRuntimeHints(InterlockRuntimeHints.class)
public final class InterlockAutoConfiguration {
    @Bean
    static SettingsCheck interlockSettingsCheck(Environment environment) {
        return new SettingsCheck(environment);
    }

    @Bean(destroyMethod = "close")
    @ConditionalOnBean(DataRedisConnectionDetails.class)
    @ConditionalOnMissingBean
    Interlock interlock(
            InterlockProperties properties,
            DataRedisConnectionDetails details,
            ObjectProvider<ClientResources> shared,
            ObjectProvider<InterlockListener> listeners,
            Environment environment) {
        InterlockBuilder builder = Interlock.builder();
        String application = environment.getProperty("spring.application.name", "");
        if (!application.isBlank()) {
            InvalidSettingException.check("spring.application.name", () -> builder.application(application));
        }
        InvalidSettingException.check("interlock.key-prefix", () -> builder.keyPrefix(properties.keyPrefix()));
        InvalidSettingException.check(
                "interlock.command-timeout", () -> builder.commandTimeout(properties.commandTimeout()));
        InvalidSettingException.check("interlock.max-pending", () -> builder.maxPending(properties.maxPending()));
        RedisAddresses addresses = new RedisAddresses(details);
        builder.scriptMode(properties.scriptMode())
                .uri(addresses.uris())
                .sslOptions(addresses.ssl())
                .listener(ListenerChain.of(listeners.orderedStream().toList()));
        shared.ifUnique(builder::clientResources);
        return builder.build();
    }

    @Bean
    @ConditionalOnBean(Interlock.class)
    @ConditionalOnMissingBean
    StartupChecks interlockStartupChecks(Interlock interlock, InterlockProperties properties) {
        return new StartupChecks(interlock, properties.checks());
    }
}
