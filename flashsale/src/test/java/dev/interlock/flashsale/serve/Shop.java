// SPDX-License-Identifier: Apache-2.0
package dev.interlock.flashsale.serve;

import static org.assertj.core.api.Assertions.assertThat;

import dev.interlock.embedded.PostgresServer;
import dev.interlock.embedded.RedisServer;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.ParameterContext;
import org.junit.jupiter.api.extension.ParameterResolver;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** One running service that most tests share, with its servers, and a client for it. */
final class Shop implements AutoCloseable {
    static final String OPERATOR = "operator:secret";

    private static final JsonMapper JSON = new JsonMapper();
    private static final AtomicLong KEYS = new AtomicLong();

    final RedisServer redis;
    final PostgresServer postgres;
    final Service service;
    private final HttpClient client = HttpClient.newHttpClient();

    /** An answer. */
    record Answer(HttpResponse<String> response) {
        int status() {
            return response.statusCode();
        }

        JsonNode json() {
            return JSON.readTree(response.body());
        }

        String header(String name) {
            return response.headers().firstValue(name).orElse("");
        }

        String type() {
            assertThat(header("Content-Type")).isEqualTo("application/problem+json");
            assertThat(response.body()).doesNotContain("Exception", "\tat ");
            return json().get("type").asString().replace("urn:interlock:problem:", "");
        }
    }

    private Shop(Map<String, String> settings) {
        redis = RedisServer.start();
        postgres = PostgresServer.start();
        settings.forEach(System::setProperty);
        service = Service.start(options(redis.uri(), postgres.jdbcUrl()));
    }

    static ServeOptions options(String redis, String database) {
        return new ServeOptions(0, List.of(redis), database, null, Path.of("unused"), true, null);
    }

    static Shop open() {
        return new Shop(Map.of(
                "flashsale.operator.password", "secret",
                "flashsale.live-open", "true",
                "flashsale.max-lag", "5000",
                "flashsale.coupon-limit.permits", "60",
                "flashsale.coupon-limit.period", "60s"));
    }

    String base() {
        return "http://127.0.0.1:" + service.port();
    }

    HttpRequest.Builder request(String path) {
        return HttpRequest.newBuilder(URI.create(base() + path)).timeout(Duration.ofSeconds(30));
    }

    Answer send(HttpRequest.Builder request) {
        try {
            return new Answer(client.send(request.build(), BodyHandlers.ofString()));
        } catch (IOException | InterruptedException e) {
            throw new AssertionError(e);
        }
    }

    Answer get(String path) {
        return send(request(path));
    }

    static String basic(String credentials) {
        return "Basic " + Base64.getEncoder().encodeToString(credentials.getBytes(StandardCharsets.UTF_8));
    }

    /** As the operator, with a new key. */
    Answer order(String path, String json) {
        return order(path, json, "key-" + KEYS.incrementAndGet());
    }

    Answer order(String path, String json, String key) {
        return send(request(path)
                .header("Authorization", basic(OPERATOR))
                .header("Content-Type", "application/json")
                .header("Idempotency-Key", key)
                .POST(BodyPublishers.ofString(json)));
    }

    Answer asOperator(String path) {
        return send(request(path).header("Authorization", basic(OPERATOR)));
    }

    /** As a user, with a body if it is not empty. */
    Answer ask(String path, String user, String key, String json) {
        HttpRequest.Builder request = request(path)
                .header("X-User-Id", user)
                .header("Idempotency-Key", key)
                .POST(json.isEmpty() ? BodyPublishers.noBody() : BodyPublishers.ofString(json));
        return send(json.isEmpty() ? request : request.header("Content-Type", "application/json"));
    }

    Answer coupon(long campaign, String user, String key) {
        return ask("/api/campaigns/" + campaign + "/coupons", user, key, "");
    }

    long campaign(long units) {
        Answer made = order("/api/campaigns", "{\"name\":\"test\",\"units\":" + units + "}");
        assertThat(made.status()).as(made.response().body()).isEqualTo(201);
        return made.json().get("id").asLong();
    }

    long product(long units, int limit, long stock) {
        Answer made = order(
                "/api/products",
                "{\"name\":\"test\",\"units\":" + units + ",\"limitPerUser\":" + limit + ",\"stock\":" + stock + "}");
        assertThat(made.status()).as(made.response().body()).isEqualTo(201);
        return made.json().get("id").asLong();
    }

    <T> T bean(Class<T> type) {
        return service.context().getBean(type);
    }

    @Override
    public void close() {
        service.close();
        postgres.close();
        redis.close();
    }

    /** Gives all test classes the same shop; it is closed at the end of the run. */
    static final class Shared implements ParameterResolver {
        @Override
        public boolean supportsParameter(ParameterContext parameter, ExtensionContext context) {
            return parameter.getParameter().getType() == Shop.class;
        }

        @Override
        public Object resolveParameter(ParameterContext parameter, ExtensionContext context) {
            return context.getRoot()
                    .getStore(ExtensionContext.Namespace.create(Shop.class))
                    .computeIfAbsent(Shop.class, key -> open(), Shop.class);
        }
    }
}
