// SPDX-License-Identifier: Apache-2.0
package dev.interlock.spring.autoconfigure;

import dev.interlock.Interlock;
import dev.interlock.spring.metrics.InterlockMetrics;
import dev.interlock.spring.metrics.InterlockObservations;
import dev.interlock.spring.metrics.ServerMetrics;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.observation.ObservationRegistry;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBooleanProperty;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** Meters and observations of what Interlock does. */
@AutoConfiguration(
        before = InterlockAutoConfiguration.class,
        afterName = {
            "org.springframework.boot.micrometer.metrics.autoconfigure.CompositeMeterRegistryAutoConfiguration",
            "org.springframework.boot.micrometer.observation.autoconfigure.ObservationAutoConfiguration"
        })
@ConditionalOnClass(Interlock.class)
@ConditionalOnBooleanProperty(name = "interlock.enabled", matchIfMissing = true)
public final class InterlockMetricsAutoConfiguration {
    /** What needs Micrometer's meters. */
    @Configuration(proxyBeanMethods = false)
    @ConditionalOnClass(MeterRegistry.class)
    @ConditionalOnBean(MeterRegistry.class)
    @ConditionalOnBooleanProperty(name = "interlock.metrics.enabled", matchIfMissing = true)
    static class Meters {
        @Bean
        @ConditionalOnMissingBean
        InterlockMetrics interlockMetrics() {
            return new InterlockMetrics();
        }

        @Bean
        @ConditionalOnMissingBean
        ServerMetrics interlockServerMetrics(ObjectProvider<Interlock> interlock) {
            return new ServerMetrics(() -> interlock.getObject().inventory().slowScripts());
        }
    }

    /** What needs Micrometer's observations. */
    @Configuration(proxyBeanMethods = false)
    @ConditionalOnClass(ObservationRegistry.class)
    @ConditionalOnBean(ObservationRegistry.class)
    @ConditionalOnBooleanProperty(name = "interlock.observations.enabled", matchIfMissing = true)
    static class Observations {
        @Bean
        @ConditionalOnMissingBean
        InterlockObservations interlockObservations(ObjectProvider<ObservationRegistry> registry) {
            return new InterlockObservations(registry);
        }
    }
}
