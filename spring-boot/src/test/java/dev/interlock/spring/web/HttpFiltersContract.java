// SPDX-License-Identifier: Apache-2.0
package dev.interlock.spring.web;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.interlock.embedded.RedisServer;
import dev.interlock.embedded.RedisTest;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;

/** What both filters do, over real sockets. */
@RedisTest
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
abstract class HttpFiltersContract {
    @Configuration
    @EnableAutoConfiguration
    @Import({Shop.class, Guarded.class})
    static class Application {
        @Bean
        MeterRegistry meters() {
            return new SimpleMeterRegistry();
        }
    }

    final HttpClient client = HttpClient.newHttpClient();
    private final WebApplicationType type;
    private final Class<?> login;
    private ConfigurableApplicationContext context;
    Shop shop;
    RedisServer redis;
    final String id = UUID.randomUUID().toString();

    HttpFiltersContract(WebApplicationType type, Class<?> login) {
        this.type = type;
        this.login = login;
    }

    private static List<String> limit(int index, String name, String path, String limit, String... more) {
        String start = "interlock.http.limits[" + index + "].";
        List<String> all =
                new ArrayList<>(List.of(start + "name=" + name, start + "path=" + path, start + "limit=" + limit));
        // Generous, because the machine may be busy.
        all.add(start + "deadline=1s");
        for (String setting : more) {
            all.add(start + setting);
        }
        return all;
    }

    @BeforeAll
    void start(RedisServer server) {
        redis = server;
        List<String> properties = new ArrayList<>(List.of(
                "server.port=0",
                "spring.data.redis.port=" + server.port(),
                "spring.cloud.gateway.server.webflux.enabled=false",
                "spring.autoconfigure.exclude=org.springframework.cloud.gateway.config.GatewayRedisAutoConfiguration",
                "interlock.command-timeout=1s",
                "interlock.http.x-rate-limit=true",
                "interlock.http.trusted-proxies=127.0.0.1",
                "interlock.http.idempotency.paths=/orders/**",
                "interlock.http.idempotency.max-body=10KB"));
        properties.addAll(limit(0, "header", "/header", "2/1h", "key=header:X-Key", "method=GET"));
        properties.addAll(limit(1, "user", "/user", "1/1h", "key=principal"));
        properties.addAll(limit(2, "tenant", "/tenants/{id}/**", "1/1h", "key=path:id"));
        properties.addAll(limit(3, "shadow", "/shadow", "1/1h", "key=header:X-Key", "shadow=true"));
        properties.addAll(limit(4, "address", "/address", "1/1h"));
        properties.addAll(limit(5, "wide", "/both", "2/1h,9/1d", "key=header:X-Key"));
        properties.addAll(limit(6, "narrow", "/both", "1/1h", "key=header:X-User"));
        properties.addAll(limit(7, "open", "/open", "1/1h", "key=header:X-Key", "outage=fail-open"));
        properties.addAll(
                limit(8, "short", "/short", "10/3s burst 1", "key=header:X-Key", "algorithm=gcra", "outage=local"));
        context = new SpringApplicationBuilder(Application.class, login)
                .web(type)
                .properties(properties.toArray(String[]::new))
                .run();
        shop = context.getBean(Shop.class);
    }

    @AfterAll
    void stop() {
        context.close();
    }

    @BeforeEach
    void fresh() {
        shop.runs.set(0);
    }

    int port() {
        return context.getEnvironment().getRequiredProperty("local.server.port", Integer.class);
    }

    HttpRequest.Builder request(String path, String... headers) {
        HttpRequest.Builder builder = HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port() + path))
                .timeout(Duration.ofSeconds(30));
        return headers.length == 0 ? builder : builder.headers(headers);
    }

    HttpResponse<String> send(HttpRequest.Builder request) throws IOException, InterruptedException {
        return client.send(request.build(), HttpResponse.BodyHandlers.ofString());
    }

    HttpResponse<String> get(String path, String... headers) throws Exception {
        return send(request(path, headers).GET());
    }

    HttpResponse<String> post(String path, String body, String... headers) throws Exception {
        return send(request(path, headers).POST(HttpRequest.BodyPublishers.ofString(body)));
    }

    static String header(HttpResponse<?> response, String name) {
        return response.headers().firstValue(name).orElse("");
    }

    @Test
    void tellsTheLimitAndDeniesBeyondIt() throws Exception {
        String key = "a" + id;
        HttpResponse<String> first = get("/header", "X-Key", key);
        assertThat(first.statusCode()).isEqualTo(200);
        assertThat(first.body()).isEqualTo("hello");
        assertThat(header(first, "RateLimit-Policy")).isEqualTo("\"header\";q=2;w=3600");
        assertThat(header(first, "RateLimit")).isEqualTo("\"header\";r=1;t=3600");
        assertThat(header(first, "X-RateLimit-Limit")).isEqualTo("2");
        assertThat(header(first, "X-RateLimit-Remaining")).isEqualTo("1");
        assertThat(header(first, "X-RateLimit-Reset")).isEqualTo("3600");
        assertThat(first.headers().firstValue("Retry-After")).isEmpty();
        assertThat(get("/header", "X-Key", key).statusCode()).isEqualTo(200);

        HttpResponse<String> denied = get("/header", "X-Key", key);
        assertThat(denied.statusCode()).isEqualTo(429);
        assertThat(header(denied, "Content-Type")).isEqualTo("application/problem+json");
        assertThat(denied.body())
                .isEqualTo("{\"type\":\"https://iana.org/assignments/http-problem-types#quota-exceeded\","
                        + "\"title\":\"Too many requests\",\"status\":429,\"violated-policies\":[\"header\"]}");
        long retryAfter = Long.parseLong(header(denied, "Retry-After"));
        assertThat(retryAfter).isBetween(3500L, 3600L);
        assertThat(header(denied, "RateLimit")).isEqualTo("\"header\";r=0;t=" + retryAfter);
        assertThat(shop.runs).hasValue(2);
        HttpRequest.Builder head = request("/header", "X-Key", key).method("HEAD", HttpRequest.BodyPublishers.noBody());
        assertThat(send(head).statusCode()).isEqualTo(429);
        assertThat(get("/header", "X-Key", "other" + id).statusCode()).isEqualTo(200);
    }

    /** R15. */
    @Test
    void saysOneSecondForAFractionOfIt() throws Exception {
        String key = "s" + id;
        HttpResponse<String> denied = get("/short", "X-Key", key);
        while (denied.statusCode() == 200) {
            denied = get("/short", "X-Key", key);
        }
        assertThat(denied.statusCode()).isEqualTo(429);
        assertThat(header(denied, "Retry-After")).isEqualTo("1");
        assertThat(header(denied, "RateLimit-Policy")).isEqualTo("\"short\";q=1;w=1");
    }

    @Test
    void countsByPrincipalPathAndClientAddress() throws Exception {
        assertThat(get("/user", "X-Test-User", "ann" + id).statusCode()).isEqualTo(200);
        assertThat(get("/user", "X-Test-User", "ann" + id).statusCode()).isEqualTo(429);
        assertThat(get("/user", "X-Test-User", "bob" + id).statusCode()).isEqualTo(200);

        assertThat(get("/tenants/t" + id + "/x").statusCode()).isEqualTo(200);
        assertThat(get("/tenants/t" + id + "/x").statusCode()).isEqualTo(429);
        assertThat(get("/tenants/u" + id + "/x").statusCode()).isEqualTo(200);

        String client = "10." + (id.hashCode() & 0xFF) + "." + type.ordinal() + ".";
        assertThat(get("/address", "X-Forwarded-For", client + "1").statusCode())
                .isEqualTo(200);
        assertThat(get("/address", "X-Forwarded-For", client + "9, " + client + "1")
                        .statusCode())
                .isEqualTo(429);
        assertThat(get("/address", "X-Forwarded-For", client + "2").statusCode())
                .isEqualTo(200);
    }

    @Test
    void refusesAKeyThatBreaksTheRulesOfNames() throws Exception {
        HttpResponse<String> refused = get("/header", "X-Key", "x".repeat(600));
        assertThat(refused.statusCode()).isEqualTo(400);
        assertThat(refused.body()).doesNotContain("xxx");
        assertThat(shop.runs).hasValue(0);
    }

    @Test
    void onlyMeasuresInShadowMode() throws Exception {
        for (int i = 0; i < 3; i++) {
            HttpResponse<String> response = get("/shadow", "X-Key", id);
            assertThat(response.statusCode()).isEqualTo(200);
            assertThat(response.headers().firstValue("RateLimit")).isEmpty();
        }
        assertThat(count("shadow", "allowed")).isEqualTo(1);
        assertThat(count("shadow", "shadow-denied")).isEqualTo(2);
    }

    private double count(String limit, String outcome) {
        Counter counter = context.getBean(MeterRegistry.class)
                .find("interlock.http.limit")
                .tags("limit", limit, "outcome", outcome)
                .counter();
        return counter == null ? 0 : counter.count();
    }

    @Test
    void takesFromAllLimitsOrNone() throws Exception {
        HttpResponse<String> first = get("/both", "X-Key", id, "X-User", "ann" + id);
        assertThat(first.statusCode()).isEqualTo(200);
        assertThat(header(first, "RateLimit-Policy"))
                .isEqualTo("\"wide 2/1h\";q=2;w=3600, \"wide 9/1d\";q=9;w=86400, \"narrow\";q=1;w=3600");
        assertThat(header(first, "RateLimit"))
                .startsWith("\"wide 2/1h\";r=1;t=")
                .contains(", \"narrow\";r=0;t=");
        assertThat(get("/both", "X-Key", id, "X-User", "ann" + id).body()).contains("[\"narrow\"]");
        // What the first limit took for the denied request comes back.
        await().atMost(Duration.ofSeconds(5))
                .until(() ->
                        get("/both", "X-Key", id, "X-User", UUID.randomUUID().toString())
                                        .statusCode()
                                == 200);
        assertThat(get("/both", "X-Key", id, "X-User", "eve" + id).body()).contains("[\"wide 2/1h\"]");
    }

    @Test
    void answersForAnnotatedMethodsAlike() throws Exception {
        assertThat(get("/guarded/" + id).body()).isEqualTo(id);
        HttpResponse<String> denied = get("/guarded/" + id);
        assertThat(denied.statusCode()).isEqualTo(429);
        assertThat(header(denied, "Content-Type")).isEqualTo("application/problem+json");
        assertThat(Long.parseLong(header(denied, "Retry-After"))).isBetween(3500L, 3600L);
        assertThat(get("/guarded/" + id + "/a").body()).isEqualTo("a");
        assertThat(get("/guarded/" + id + "/b").statusCode()).isEqualTo(422);
    }

    @Test
    void leavesOtherRequestsAlone() throws Exception {
        assertThat(get("/free").headers().map()).doesNotContainKeys("ratelimit", "ratelimit-policy");
        HttpRequest.Builder preFlight = request("/header", "X-Key", "p" + id, "Access-Control-Request-Method", "GET")
                .header("X-Origin", "x")
                .method("OPTIONS", HttpRequest.BodyPublishers.noBody());
        assertThat(send(preFlight).headers().firstValue("RateLimit")).isEmpty();
    }

    @Test
    void answersAsConfiguredWhileRedisIsAway() throws Exception {
        redis.pause();
        try {
            HttpResponse<String> closed = get("/header", "X-Key", "o" + id);
            assertThat(closed.statusCode()).isEqualTo(503);
            assertThat(header(closed, "Retry-After")).isEqualTo("1");
            assertThat(header(closed, "Content-Type")).isEqualTo("application/problem+json");
            HttpResponse<String> open = get("/open", "X-Key", "o" + id);
            assertThat(open.statusCode()).isEqualTo(200);
            assertThat(open.headers().firstValue("RateLimit")).isEmpty();
            assertThat(get("/open", "X-Key", "o" + id).statusCode()).isEqualTo(200);
            assertThat(get("/short", "X-Key", "o" + id).statusCode()).isEqualTo(200);
            assertThat(get("/short", "X-Key", "o" + id).statusCode()).isEqualTo(429);
            assertThat(post("/orders", "{}", "Idempotency-Key", id).statusCode())
                    .isEqualTo(503);
            assertThat(count("open", "passed")).isEqualTo(2);
        } finally {
            redis.resume();
        }
        await().atMost(Duration.ofSeconds(10))
                .until(() ->
                        get("/header", "X-Key", UUID.randomUUID().toString()).statusCode() == 200);
    }
}
