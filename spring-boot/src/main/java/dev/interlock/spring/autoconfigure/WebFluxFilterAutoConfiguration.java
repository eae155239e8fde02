// SPDX-License-Identifier: Apache-2.0
package dev.interlock.spring.autoconfigure;

import dev.interlock.Interlock;
import dev.interlock.spring.web.HttpLimits;
import dev.interlock.spring.web.IdempotencyWebFilter;
import dev.interlock.spring.web.IdempotentRequests;
import dev.interlock.spring.web.RateLimitWebFilter;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnProperty;
import org.springframework.boot.autoconfigure.condition.ConditionalOnWebApplication;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Conditional;
import org.springframework.context.annotation.Import;
import org.springframework.core.annotation.Order;
import org.springframework.web.server.WebFilter;

/** Limits per route and the Idempotency-Key header in WebFlux applications, where {@code interlock.http.*} asks for them. */
@AutoConfiguration(
        after = InterlockAutoConfiguration.class,
        afterName = "org.springframework.boot.micrometer.metrics.autoconfigure.CompositeMeterRegistryAutoConfiguration")
@ConditionalOnWebApplication(type = ConditionalOnWebApplication.Type.REACTIVE)
@ConditionalOnClass(WebFilter.class)
@ConditionalOnBean(Interlock.class)
@Import(HttpFilters.class)
public final class WebFluxFilterAutoConfiguration {
    @Bean
    @Order(HttpFilters.LIMITS_ORDER)
    @ConditionalOnMissingBean
    @ConditionalOnProperty(HttpFilters.FIRST_LIMIT)
    RateLimitWebFilter rateLimitWebFilter(HttpLimits limits) {
        return new RateLimitWebFilter(limits);
    }

    @Bean
    @Order(HttpFilters.IDEMPOTENCY_ORDER)
    @ConditionalOnMissingBean
    @Conditional(HttpFilters.IdempotentPaths.class)
    IdempotencyWebFilter idempotencyWebFilter(IdempotentRequests requests) {
        return new IdempotencyWebFilter(requests);
    }
}
