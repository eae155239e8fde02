// SPDX-License-Identifier: Apache-2.0
package dev.interlock.spring.actuate;

import static org.assertj.core.api.Assertions.assertThat;

import dev.interlock.Interlock;
import dev.interlock.embedded.RedisServer;
import dev.interlock.limit.Limit;
import dev.interlock.limit.RateLimiter;
import dev.interlock.limit.RateLimiterOptions;
import dev.interlock.lock.Lease;
import dev.interlock.pool.PoolConfig;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Configuration;

/** Health and the end-point over HTTP, in both web stacks. */
class ActuatorIT {
    private final HttpClient client = HttpClient.newHttpClient();

    @Configuration(proxyBeanMethods = false)
    @EnableAutoConfiguration
    static class Application {}

    private static ConfigurableApplicationContext start(RedisServer server, WebApplicationType stack, String... more) {
        return new SpringApplicationBuilder(Application.class)
                .web(stack)
                .properties(
                        "server.port=0",
                        "spring.main.banner-mode=off",
                        "spring.cloud.gateway.server.webflux.enabled=false",
                        "spring.data.redis.port=" + server.port(),
                        "management.endpoints.web.exposure.include=health,interlock",
                        "management.endpoint.health.show-details=always",
                        "interlock.command-timeout=5s")
                .properties(more)
                .run();
    }

    private HttpResponse<String> send(ConfigurableApplicationContext context, String method, String path)
            throws Exception {
        String port = context.getEnvironment().getProperty("local.server.port");
        URI uri = URI.create("http://127.0.0.1:" + port + "/actuator/" + path);
        return client.send(
                HttpRequest.newBuilder(uri)
                        .timeout(Duration.ofSeconds(30))
                        .method(method, HttpRequest.BodyPublishers.noBody())
                        .build(),
                HttpResponse.BodyHandlers.ofString());
    }

    @ParameterizedTest
    @EnumSource(names = {"SERVLET", "REACTIVE"})
    void showsWhatThereIs(WebApplicationType stack) throws Exception {
        try (RedisServer server = RedisServer.start();
                ConfigurableApplicationContext context =
                        start(server, stack, "management.endpoint.interlock.access=unrestricted")) {
            Interlock interlock = context.getBean(Interlock.class);
            Lease lease = interlock.lock("order/42").acquire(Duration.ZERO);
            interlock.pool("sale").create(PoolConfig.of(7));
            RateLimiter limiter = interlock.rateLimiter("api", Limit.slidingWindow(1, Duration.ofMinutes(1)));
            limiter.tryAcquire("a user who must not show");

            HttpResponse<String> all = send(context, "GET", "interlock");
            assertThat(all.statusCode()).isEqualTo(200);
            assertThat(all.body())
                    .contains(
                            "\"name\":\"order/42\"",
                            "\"pid\":" + ProcessHandle.current().pid(),
                            "\"waiting\":0")
                    .contains("\"name\":\"sale\"", "\"name\":\"api\"", "FAIL_CLOSED")
                    .contains("lock/acquire", "has no password")
                    .doesNotContain("a user who must not show", lease.ownerToken());
            assertThat(send(context, "GET", "interlock/pools").body()).startsWith("[{\"name\":\"sale\"");
            assertThat(send(context, "GET", "interlock/nonsense").statusCode()).isEqualTo(404);
            assertThat(send(context, "GET", "interlock/locks?name=order/42").body())
                    .contains("\"fence\":" + lease.fence());
            assertThat(send(context, "GET", "interlock/locks?name=free").statusCode())
                    .isEqualTo(404);

            HttpResponse<String> taken = send(context, "DELETE", "interlock/locks?name=order/42");
            assertThat(taken.statusCode()).isEqualTo(200);
            assertThat(taken.body()).isEqualTo("{\"released\":true}");
            assertThat(interlock.lock("order/42").owner()).isEmpty();

            HttpResponse<String> health = send(context, "GET", "health");
            assertThat(health.statusCode()).isEqualTo(200);
            assertThat(health.body()).contains("\"interlock\"", "lagMillis", "\"limitersAway\":{}");
        }
    }

    @ParameterizedTest
    @EnumSource(names = {"SERVLET", "REACTIVE"})
    void isDownWhereRedisDoesNotDecideAndForcesNothingUnlessAllowed(WebApplicationType stack) throws Exception {
        try (RedisServer server = RedisServer.start();
                ConfigurableApplicationContext context = start(
                        server, stack, "management.health.redis.enabled=false", "interlock.command-timeout=300ms")) {
            Interlock interlock = context.getBean(Interlock.class);
            Lease lease = interlock.lock("kept").acquire(Duration.ZERO);
            assertThat(send(context, "DELETE", "interlock/locks?name=kept").statusCode())
                    .isEqualTo(405);
            assertThat(lease.isValid()).isTrue();
            RateLimiter limiter = interlock.rateLimiter(
                    "api", RateLimiterOptions.DEFAULT.failOpen(), Limit.slidingWindow(1, Duration.ofMinutes(1)));
            server.kill();
            assertThat(limiter.tryAcquire("user").allowed()).isTrue();
            HttpResponse<String> health = send(context, "GET", "health");
            assertThat(health.statusCode()).isEqualTo(503);
            assertThat(health.body()).contains("\"undecided\"", "\"limitersAway\":{\"api\":\"FAIL_OPEN\"}");
        }
    }
}
