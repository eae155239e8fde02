// SPDX-License-Identifier: Apache-2.0
package dev.interlock.spring.web;

import static org.assertj.core.api.Assertions.assertThat;

import dev.interlock.embedded.RedisServer;
import dev.interlock.embedded.RedisTest;
import dev.interlock.spring.autoconfigure.InterlockAutoConfiguration;
import dev.interlock.spring.autoconfigure.ServletFilterAutoConfiguration;
import dev.interlock.spring.autoconfigure.WebFluxFilterAutoConfiguration;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.data.redis.autoconfigure.DataRedisAutoConfiguration;
import org.springframework.boot.test.context.FilteredClassLoader;
import org.springframework.boot.test.context.runner.ReactiveWebApplicationContextRunner;
import org.springframework.boot.test.context.runner.WebApplicationContextRunner;
import org.springframework.boot.web.servlet.FilterRegistrationBean;
import org.springframework.web.filter.OncePerRequestFilter;

/** When there are filters, and what an application does not start with. */
@RedisTest
class HttpConfigurationIT {
    private static final AutoConfigurations ALL = AutoConfigurations.of(
            DataRedisAutoConfiguration.class,
            InterlockAutoConfiguration.class,
            ServletFilterAutoConfiguration.class,
            WebFluxFilterAutoConfiguration.class);
    private static final String LIMIT = "interlock.http.limits[0].limit=5/1s";
    private static final String PATH = "interlock.http.limits[0].path=/api/**";

    private WebApplicationContextRunner servlet = new WebApplicationContextRunner();
    private ReactiveWebApplicationContextRunner reactive = new ReactiveWebApplicationContextRunner();

    @BeforeEach
    void connect(RedisServer redis) {
        String port = "spring.data.redis.port=" + redis.port();
        servlet = servlet.withConfiguration(ALL).withPropertyValues(port);
        reactive = reactive.withConfiguration(ALL).withPropertyValues(port);
    }

    @Test
    void addsNoFilterUnlessItIsAskedFor() {
        servlet.run(context -> assertThat(context).hasNotFailed().doesNotHaveBean(FilterRegistrationBean.class));
        reactive.run(context -> assertThat(context)
                .hasNotFailed()
                .doesNotHaveBean(RateLimitWebFilter.class)
                .doesNotHaveBean(IdempotencyWebFilter.class));
        servlet.withPropertyValues(PATH, LIMIT, "interlock.enabled=false")
                .run(context -> assertThat(context).hasNotFailed().doesNotHaveBean(HttpLimits.class));
    }

    @Test
    void addsWhatIsAskedForBehindAuthentication() {
        servlet.withPropertyValues(PATH, LIMIT)
                .run(context -> assertThat(context.getBean(FilterRegistrationBean.class))
                        .satisfies(filter -> assertThat(filter.getFilter()).isInstanceOf(RateLimitFilter.class))
                        .satisfies(filter -> assertThat(filter.getOrder()).isGreaterThan(-100)));
        servlet.withPropertyValues("interlock.http.idempotency.paths=/a,/b")
                .run(context -> assertThat(
                                context.getBean(FilterRegistrationBean.class).getFilter())
                        .isInstanceOf(IdempotencyFilter.class));
        reactive.withPropertyValues(PATH, LIMIT, "interlock.http.idempotency.paths[0]=/a")
                .run(context -> assertThat(context)
                        .hasSingleBean(RateLimitWebFilter.class)
                        .hasSingleBean(IdempotencyWebFilter.class));
    }

    @Test
    void worksWithoutMicrometerAndBacksOff() {
        servlet.withPropertyValues(PATH, LIMIT)
                .withClassLoader(new FilteredClassLoader("io.micrometer"))
                .run(context -> assertThat(context).hasSingleBean(HttpLimits.class));
        servlet.withClassLoader(new FilteredClassLoader(OncePerRequestFilter.class))
                .run(context -> assertThat(context).doesNotHaveBean(ServletFilterAutoConfiguration.class));
        servlet.withPropertyValues(PATH, LIMIT)
                .withBean("rateLimitFilter", String.class, () -> "own")
                .run(context -> assertThat(context).doesNotHaveBean(FilterRegistrationBean.class));
    }

    @Test
    void namesThePropertyThatIsWrong() {
        Map<String, String> wrong = Map.of(
                "interlock.http.limits[0].limit=lots", "interlock.http.limits[0].limit: a limit is written like",
                "interlock.http.limits[0].limit=0/1s", "interlock.http.limits[0].limit: a limit is written like",
                "interlock.http.limits[0].cost=6", "interlock.http.limits[0].cost must be from 1 to 5",
                "interlock.http.limits[0].key=ip", "interlock.http.limits[0].key must be header:NAME",
                "interlock.http.limits[0].key=path:id", "interlock.http.limits[0].key names the path variable id",
                "interlock.http.limits[0].name=a\"b", "interlock.http.limits[0].name must be",
                "interlock.http.limits[0].deadline=1ms", "interlock.http.limits[0]: deadline must be",
                "interlock.http.trusted-proxies=proxy", "interlock.http.trusted-proxies must hold addresses",
                "interlock.http.limits[0].algorithm=guess", "interlock.http.limits[0].algorithm");
        wrong.forEach((setting, because) -> servlet.withPropertyValues(PATH, LIMIT, setting)
                .run(context -> assertThat(context).getFailure().hasStackTraceContaining(because)));
        servlet.withPropertyValues(
                        PATH, LIMIT, "interlock.http.limits[1].path=/api/**", "interlock.http.limits[1].limit=1/1s")
                .run(context -> assertThat(context)
                        .getFailure()
                        .hasStackTraceContaining("interlock.http.limits[1].name must differ"));
        servlet.withPropertyValues("interlock.http.idempotency.paths=/a", "interlock.http.idempotency.lease=1ms")
                .run(context -> assertThat(context)
                        .getFailure()
                        .hasStackTraceContaining("interlock.http.idempotency: lease must be"));
    }
}
