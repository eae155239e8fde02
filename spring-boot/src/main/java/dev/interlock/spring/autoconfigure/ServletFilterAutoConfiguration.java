// SPDX-License-Identifier: Apache-2.0
package dev.interlock.spring.autoconfigure;

import dev.interlock.Interlock;
import dev.interlock.spring.web.HttpLimits;
import dev.interlock.spring.web.IdempotencyFilter;
import dev.interlock.spring.web.IdempotentRequests;
import dev.interlock.spring.web.RateLimitFilter;
import jakarta.servlet.DispatcherType;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnProperty;
import org.springframework.boot.autoconfigure.condition.ConditionalOnWebApplication;
import org.springframework.boot.web.servlet.FilterRegistrationBean;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Conditional;
import org.springframework.context.annotation.Import;
import org.springframework.web.filter.OncePerRequestFilter;

/** Limits per route and the Idempotency-Key header in servlet applications, where {@code interlock.http.*} asks for them. */
@AutoConfiguration(
        after = InterlockAutoConfiguration.class,
        afterName = "org.springframework.boot.micrometer.metrics.autoconfigure.CompositeMeterRegistryAutoConfiguration")
@ConditionalOnWebApplication(type = ConditionalOnWebApplication.Type.SERVLET)
@ConditionalOnClass({OncePerRequestFilter.class, FilterRegistrationBean.class})
@ConditionalOnBean(Interlock.class)
@Import(HttpFilters.class)
public final class ServletFilterAutoConfiguration {
    @Bean
    @ConditionalOnMissingBean(name = "rateLimitFilter")
    @ConditionalOnProperty(HttpFilters.FIRST_LIMIT)
    FilterRegistrationBean<RateLimitFilter> rateLimitFilter(HttpLimits limits) {
        FilterRegistrationBean<RateLimitFilter> registration =
                new FilterRegistrationBean<>(new RateLimitFilter(limits));
        registration.setOrder(HttpFilters.LIMITS_ORDER);
        registration.setDispatcherTypes(DispatcherType.REQUEST);
        return registration;
    }

    @Bean
    @ConditionalOnMissingBean(name = "idempotencyFilter")
    @Conditional(HttpFilters.IdempotentPaths.class)
    FilterRegistrationBean<IdempotencyFilter> idempotencyFilter(IdempotentRequests requests) {
        FilterRegistrationBean<IdempotencyFilter> registration =
                new FilterRegistrationBean<>(new IdempotencyFilter(requests));
        registration.setOrder(HttpFilters.IDEMPOTENCY_ORDER);
        registration.setDispatcherTypes(DispatcherType.REQUEST, DispatcherType.ASYNC);
        return registration;
    }
}
