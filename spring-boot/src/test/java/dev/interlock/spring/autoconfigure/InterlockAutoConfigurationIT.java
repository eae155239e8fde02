// SPDX-License-Identifier: Apache-2.0
package dev.interlock.spring.autoconfigure;

import static org.assertj.core.api.Assertions.assertThat;

import dev.interlock.Interlock;
import dev.interlock.InterlockListener;
import dev.interlock.embedded.RedisServer;
import dev.interlock.spring.actuate.InterlockEndpoint;
import dev.interlock.spring.actuate.InterlockHealthIndicator;
import dev.interlock.spring.adapter.InterlockGatewayLimiter;
import dev.interlock.spring.adapter.InterlockLockProvider;
import dev.interlock.spring.adapter.InterlockLockRegistry;
import dev.interlock.spring.metrics.InterlockMetrics;
import dev.interlock.spring.metrics.InterlockObservations;
import io.lettuce.core.RedisURI;
import io.lettuce.core.resource.ClientResources;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.micrometer.observation.ObservationRegistry;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import net.javacrumbs.shedlock.core.LockProvider;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.data.redis.autoconfigure.DataRedisAutoConfiguration;
import org.springframework.boot.test.context.FilteredClassLoader;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.boot.test.context.runner.ReactiveWebApplicationContextRunner;
import org.springframework.cloud.gateway.filter.ratelimit.RateLimiter;
import org.springframework.cloud.gateway.support.ConfigurationService;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.data.redis.connection.RedisConnectionFactory;
import org.springframework.data.redis.core.RedisOperations;
import org.springframework.data.redis.core.StringRedisTemplate;
import org.springframework.integration.support.locks.RenewableLockRegistry;

class InterlockAutoConfigurationIT {
    private static final AutoConfigurations OURS = AutoConfigurations.of(
            DataRedisAutoConfiguration.class,
            InterlockAutoConfiguration.class,
            InterlockMetricsAutoConfiguration.class,
            InterlockActuatorAutoConfiguration.class,
            AdapterAutoConfiguration.class);

    private static final Map<String, Class<?>> LIBRARIES = Map.of(
            "io.micrometer.core", InterlockMetrics.class,
            "io.micrometer.observation", InterlockObservations.class,
            "net.javacrumbs", InterlockLockProvider.class,
            "org.springframework.integration", InterlockLockRegistry.class,
            "org.springframework.cloud", InterlockGatewayLimiter.class,
            "org.springframework.boot.actuate", InterlockEndpoint.class,
            "org.springframework.boot.health", InterlockHealthIndicator.class);

    private static RedisServer server;
    private final ApplicationContextRunner runner = runner();

    @BeforeAll
    static void start() {
        server = RedisServer.builder().config("requirepass", "s3cr#t/:@").start();
    }

    @AfterAll
    static void stop() {
        server.close();
    }

    private static ApplicationContextRunner runner() {
        return new ApplicationContextRunner()
                .withConfiguration(OURS)
                .withUserConfiguration(Application.class)
                .withPropertyValues(
                        "spring.data.redis.port=" + server.port(),
                        "spring.data.redis.password=s3cr#t/:@",
                        "management.endpoints.web.exposure.include=*",
                        "interlock.command-timeout=10s");
    }

    /** What other auto-configurations would bring. */
    @Configuration(proxyBeanMethods = false)
    static class Application {
        @Bean
        MeterRegistry meters() {
            return new SimpleMeterRegistry();
        }

        @Bean
        ObservationRegistry observations() {
            return ObservationRegistry.create();
        }

        @Bean
        ConfigurationService configurationService() {
            return new ConfigurationService(null, () -> null, () -> null);
        }
    }

    @Test
    void givesAnInterlockThatWorksBesideTheApplicationsOwnClient() {
        runner.run(context -> {
            Interlock interlock = context.getBean(Interlock.class);
            assertThat(interlock.lock("a").tryAcquire()).isPresent();
            assertThat(context)
                    .hasSingleBean(RedisConnectionFactory.class)
                    .hasSingleBean(StringRedisTemplate.class)
                    .hasSingleBean(ClientResources.class)
                    .hasSingleBean(InterlockMetrics.class)
                    .hasSingleBean(InterlockObservations.class)
                    .hasSingleBean(InterlockHealthIndicator.class)
                    .hasSingleBean(InterlockEndpoint.class)
                    .hasSingleBean(InterlockLockProvider.class)
                    .hasSingleBean(InterlockLockRegistry.class)
                    .doesNotHaveBean(InterlockGatewayLimiter.class);
            context.getBean(StringRedisTemplate.class).opsForValue().set("own", "client");
            assertThat(context.getBean(StringRedisTemplate.class).opsForValue().get("own"))
                    .isEqualTo("client");
        });
    }

    @Test
    void leavesTheApplicationsResourcesRunning() {
        runner.run(context -> {
            ClientResources resources = context.getBean(ClientResources.class);
            context.getBean(Interlock.class).close();
            assertThat(resources.eventExecutorGroup().isShuttingDown()).isFalse();
            assertThat(context.getBean(StringRedisTemplate.class).hasKey("none"))
                    .isFalse();
        });
    }

    @Test
    void takesAnAddressFromAUrl() {
        runner.withPropertyValues(
                        "spring.data.redis.url=redis://default:s3cr%23t%2F%3A%40@127.0.0.1:" + server.port() + "/3",
                        "spring.data.redis.port=1",
                        "spring.data.redis.password=wrong")
                .run(context -> assertThat(
                                context.getBean(Interlock.class).lock("url").tryAcquire())
                        .isPresent());
    }

    @Test
    void appliesItsSettings() {
        runner.withPropertyValues("interlock.key-prefix=shop", "spring.application.name=the shop")
                .run(context -> {
                    context.getBean(Interlock.class).lock("owned").tryAcquire();
                    assertThat(context.getBean(Interlock.class)
                                    .lock("owned")
                                    .owner()
                                    .orElseThrow()
                                    .application())
                            .isEqualTo("the shop");
                    context.getBean(Interlock.class).value("theme").compareAndSet(null, "dark");
                    assertThat(context.getBean(StringRedisTemplate.class).keys("shop:value:*"))
                            .contains("shop:value:{theme}");
                });
    }

    @Test
    void isOffByProperty() {
        runner.withPropertyValues("interlock.enabled=false")
                .run(context -> assertThat(context)
                        .hasNotFailed()
                        .doesNotHaveBean(Interlock.class)
                        .doesNotHaveBean(InterlockMetrics.class)
                        .doesNotHaveBean(InterlockEndpoint.class)
                        .doesNotHaveBean(LockProvider.class)
                        .hasSingleBean(RedisConnectionFactory.class));
    }

    @Test
    void backsOffWithoutSpringDataRedis() {
        runner.withClassLoader(new FilteredClassLoader(
                        RedisOperations.class.getPackageName().replace(".core", "")))
                .run(context -> assertThat(context).hasNotFailed().doesNotHaveBean(Interlock.class));
    }

    @Test
    void leavesPartsOutByProperty() {
        runner.withPropertyValues(
                        "interlock.metrics.enabled=false",
                        "interlock.observations.enabled=false",
                        "interlock.shedlock.enabled=false",
                        "interlock.integration.enabled=false",
                        "interlock.gateway.enabled=false",
                        "management.health.interlock.enabled=false",
                        "management.endpoint.interlock.access=NONE")
                .run(context -> assertThat(context)
                        .hasSingleBean(Interlock.class)
                        .doesNotHaveBean(InterlockListener.class)
                        .doesNotHaveBean(LockProvider.class)
                        .doesNotHaveBean(InterlockLockRegistry.class)
                        .doesNotHaveBean(RateLimiter.class)
                        .doesNotHaveBean(InterlockHealthIndicator.class)
                        .doesNotHaveBean(InterlockEndpoint.class));
    }

    static Set<String> libraryNames() {
        return LIBRARIES.keySet();
    }

    private static ReactiveWebApplicationContextRunner reactive() {
        return new ReactiveWebApplicationContextRunner()
                .withConfiguration(OURS)
                .withPropertyValues(
                        "spring.data.redis.port=" + server.port(),
                        "spring.data.redis.password=s3cr#t/:@",
                        "management.endpoints.web.exposure.include=*");
    }

    @Test
    void limitsForAGateway() {
        reactive()
                .withBean(ConfigurationService.class, () -> new ConfigurationService(null, () -> null, () -> null))
                .run(context -> assertThat(context).hasSingleBean(InterlockGatewayLimiter.class));
        reactive()
                .withPropertyValues("spring.cloud.gateway.server.webflux.enabled=false")
                .run(context -> assertThat(context).hasNotFailed().doesNotHaveBean(InterlockGatewayLimiter.class));
    }

    @ParameterizedTest
    @MethodSource("libraryNames")
    void worksWithoutEachOptionalLibrary(String library) {
        ReactiveWebApplicationContextRunner runner = reactive().withClassLoader(new FilteredClassLoader(library));
        if (!library.equals("org.springframework.cloud")) {
            runner = runner.withPropertyValues("interlock.gateway.enabled=false");
        }
        runner.run(context -> {
            assertThat(context).hasNotFailed().hasSingleBean(Interlock.class);
            assertThat(context.getBeanNamesForType(LIBRARIES.get(library))).isEmpty();
        });
    }

    @Test
    void ownBeansWin() {
        try (Interlock own = Interlock.builder()
                .uri(List.of(RedisURI.builder()
                        .withHost("127.0.0.1")
                        .withPort(server.port())
                        .withPassword("s3cr#t/:@".toCharArray())
                        .build()))
                .build()) {
            LockProvider provider = wanted -> Optional.empty();
            runner.withBean(Interlock.class, () -> own)
                    .withBean(LockProvider.class, () -> provider)
                    .run(context -> {
                        assertThat(context.getBean(Interlock.class)).isSameAs(own);
                        assertThat(context.getBean(LockProvider.class)).isSameAs(provider);
                        assertThat(context).hasSingleBean(RenewableLockRegistry.class);
                    });
        }
    }

    @Test
    void tellsEveryListenerAndCountsAndObserves() {
        Map<String, Integer> own = new ConcurrentHashMap<>();
        InterlockListener listener = new InterlockListener() {
            @Override
            public void scriptCompleted(String script, Outcome outcome, long nanos) {
                own.merge(script, 1, Integer::sum);
                throw new IllegalStateException("a listener that fails");
            }
        };
        runner.withBean(InterlockListener.class, () -> listener).run(context -> {
            Interlock interlock = context.getBean(Interlock.class);
            MeterRegistry meters = context.getBean(MeterRegistry.class);
            context.getBean(InterlockMetrics.class).bindTo(meters);
            interlock.lock("counted").acquire(Duration.ZERO).release();
            assertThat(meters.get("interlock.lock.acquire")
                            .tag("outcome", "granted")
                            .timer()
                            .count())
                    .isEqualTo(1);
            assertThat(meters.get("interlock.lock.hold")
                            .tag("outcome", "released")
                            .timer()
                            .count())
                    .isEqualTo(1);
            assertThat(meters.get("interlock.script.run")
                            .tags("script", "lock/release", "outcome", "done")
                            .timer()
                            .count())
                    .isEqualTo(1);
            assertThat(own).containsEntry("lock/acquire", 1);
        });
    }
}
