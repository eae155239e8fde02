// SPDX-License-Identifier: Apache-2.0
package dev.interlock.spring.autoconfigure;

import dev.interlock.Interlock;
import dev.interlock.spring.actuate.InterlockEndpoint;
import dev.interlock.spring.actuate.InterlockHealthIndicator;
import org.springframework.boot.actuate.autoconfigure.endpoint.condition.ConditionalOnAvailableEndpoint;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.health.autoconfigure.contributor.ConditionalOnEnabledHealthIndicator;
import org.springframework.boot.health.contributor.ReactiveHealthIndicator;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** What operators see of Interlock. */
@AutoConfiguration(after = InterlockAutoConfiguration.class)
@ConditionalOnClass(Interlock.class)
@ConditionalOnBean(Interlock.class)
public final class InterlockActuatorAutoConfiguration {
    /** What needs Spring Boot's health. */
    @Configuration(proxyBeanMethods = false)
    @ConditionalOnClass({ReactiveHealthIndicator.class, ConditionalOnEnabledHealthIndicator.class})
    static class Health {
        @Bean
        @ConditionalOnEnabledHealthIndicator("interlock")
        @ConditionalOnMissingBean(name = "interlockHealthIndicator")
        InterlockHealthIndicator interlockHealthIndicator(Interlock interlock) {
            return new InterlockHealthIndicator(interlock);
        }
    }

    /** What needs the Actuator. */
    @Configuration(proxyBeanMethods = false)
    @ConditionalOnClass(ConditionalOnAvailableEndpoint.class)
    static class Endpoint {
        @Bean
        @ConditionalOnAvailableEndpoint(InterlockEndpoint.class)
        @ConditionalOnMissingBean
        InterlockEndpoint interlockEndpoint(Interlock interlock) {
            return new InterlockEndpoint(interlock);
        }
    }
}
