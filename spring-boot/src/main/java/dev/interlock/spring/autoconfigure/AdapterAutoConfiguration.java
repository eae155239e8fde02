// SPDX-License-Identifier: Apache-2.0
package dev.interlock.spring.autoconfigure;

import dev.interlock.Interlock;
import dev.interlock.lock.LockOptions;
import dev.interlock.spring.adapter.InterlockGatewayLimiter;
import dev.interlock.spring.adapter.InterlockLockProvider;
import dev.interlock.spring.adapter.InterlockLockRegistry;
import net.javacrumbs.shedlock.core.ExtensibleLockProvider;
import net.javacrumbs.shedlock.core.LockProvider;
import org.springframework.beans.factory.annotation.Value;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBooleanProperty;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnWebApplication;
import org.springframework.cloud.gateway.filter.ratelimit.RateLimiter;
import org.springframework.cloud.gateway.support.ConfigurationService;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Primary;
import org.springframework.integration.support.locks.LockRegistry;
import org.springframework.integration.support.locks.RenewableLockRegistry;

/** Interlock in place of the locks and limiters of other libraries, each where that library is there. */
@AutoConfiguration(
        after = InterlockAutoConfiguration.class,
        beforeName = {
            "org.springframework.boot.integration.autoconfigure.IntegrationAutoConfiguration",
            "org.springframework.cloud.gateway.config.GatewayRedisAutoConfiguration",
            "org.springframework.cloud.gateway.config.GatewayAutoConfiguration"
        })
@ConditionalOnClass(Interlock.class)
@ConditionalOnBean(Interlock.class)
public final class AdapterAutoConfiguration {
    /** What needs ShedLock. */
    @Configuration(proxyBeanMethods = false)
    @ConditionalOnClass(ExtensibleLockProvider.class)
    @ConditionalOnBooleanProperty(name = "interlock.shedlock.enabled", matchIfMissing = true)
    static class ShedLock {
        @Bean
        @ConditionalOnMissingBean(LockProvider.class)
        InterlockLockProvider interlockLockProvider(Interlock interlock) {
            return new InterlockLockProvider(interlock);
        }
    }

    /** What needs Spring Integration. */
    @Configuration(proxyBeanMethods = false)
    @ConditionalOnClass(RenewableLockRegistry.class)
    @ConditionalOnBooleanProperty(name = "interlock.integration.enabled", matchIfMissing = true)
    static class Integration {
        @Bean
        @ConditionalOnMissingBean(LockRegistry.class)
        InterlockLockRegistry interlockLockRegistry(
                Interlock interlock,
                @Value("${interlock.integration.registry-key:spring-integration}") String registryKey) {
            return new InterlockLockRegistry(interlock, registryKey, LockOptions.DEFAULTS);
        }
    }

    /** What needs Spring Cloud Gateway. The limiter that the gateway makes from Spring Data Redis stays, but is not chosen. */
    @Configuration(proxyBeanMethods = false)
    @ConditionalOnClass(RateLimiter.class)
    @ConditionalOnWebApplication(type = ConditionalOnWebApplication.Type.REACTIVE)
    @ConditionalOnBooleanProperty(
            name = {"interlock.gateway.enabled", "spring.cloud.gateway.server.webflux.enabled"},
            matchIfMissing = true)
    static class Gateway {
        @Bean
        @Primary
        @ConditionalOnMissingBean(RateLimiter.class)
        InterlockGatewayLimiter interlockGatewayLimiter(Interlock interlock, ConfigurationService configuration) {
            return new InterlockGatewayLimiter(interlock, configuration);
        }
    }
}
