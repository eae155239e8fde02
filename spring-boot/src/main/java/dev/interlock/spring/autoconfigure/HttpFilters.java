// SPDX-License-Identifier: Apache-2.0
package dev.interlock.spring.autoconfigure;

import dev.interlock.Interlock;
import dev.interlock.spring.web.HttpLimitListener;
import dev.interlock.spring.web.HttpLimits;
import dev.interlock.spring.web.HttpProperties;
import dev.interlock.spring.web.IdempotentRequests;
import dev.interlock.spring.web.RefusalAdvice;
import io.micrometer.core.instrument.MeterRegistry;
import java.util.Locale;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.condition.ConditionMessage;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnProperty;
import org.springframework.boot.autoconfigure.condition.OnPropertyListCondition;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Conditional;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;

/** What the filters of both stacks share. */
@Configuration(proxyBeanMethods = false)
@EnableConfigurationProperties(HttpProperties.class)
@Import(HttpFilters.Meters.class)
class HttpFilters {
    static final String FIRST_LIMIT = "interlock.http.limits[0].path";
    /** Behind authentication, which stands at -100, so that keys belong to verified users. */
    static final int LIMITS_ORDER = -90;
    /** Behind the limits, so that a denied request is not kept. */
    static final int IDEMPOTENCY_ORDER = -80;

    @Bean
    @ConditionalOnMissingBean
    @ConditionalOnProperty(FIRST_LIMIT)
    HttpLimits httpLimits(HttpProperties properties, Interlock interlock, ObjectProvider<HttpLimitListener> listeners) {
        return new HttpLimits(
                properties,
                interlock,
                (limit, outcome) -> listeners.forEach(listener -> listener.judged(limit, outcome)));
    }

    @Bean
    @ConditionalOnMissingBean
    @Conditional(IdempotentPaths.class)
    IdempotentRequests idempotentRequests(HttpProperties properties, Interlock interlock) {
        return new IdempotentRequests(properties.idempotency(), interlock);
    }

    @Bean
    @ConditionalOnMissingBean
    RefusalAdvice refusalAdvice() {
        return new RefusalAdvice();
    }

    /** Whether any path takes an Idempotency-Key, however the list is written. */
    static final class IdempotentPaths extends OnPropertyListCondition {
        IdempotentPaths() {
            super("interlock.http.idempotency.paths", () -> ConditionMessage.forCondition("Idempotent paths"));
        }
    }

    /** Counts what the limits decide, also those that only measure. */
    @Configuration(proxyBeanMethods = false)
    @ConditionalOnClass(MeterRegistry.class)
    static class Meters {
        @Bean
        @ConditionalOnBean(MeterRegistry.class)
        @ConditionalOnMissingBean(name = "httpLimitMeters")
        HttpLimitListener httpLimitMeters(MeterRegistry registry) {
            return (limit, outcome) -> registry.counter(
                            "interlock.http.limit",
                            "limit",
                            limit,
                            "outcome",
                            outcome.name().toLowerCase(Locale.ROOT).replace('_', '-'))
                    .increment();
        }
    }
}
