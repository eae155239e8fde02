// SPDX-License-Identifier: Apache-2.0
package dev.interlock.spring.web;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.springframework.boot.WebApplicationType;
import reactor.core.publisher.Sinks;

/** What both filters for the Idempotency-Key do, after what both filters for limits do. */
abstract class IdempotencyFiltersContract extends HttpFiltersContract {
    private static final String ORDER = "{\"item\":\"book\",\"count\":2}";
    private String key = "";

    IdempotencyFiltersContract(WebApplicationType type, Class<?> login) {
        super(type, login);
    }

    @BeforeEach
    void newKey() {
        key = UUID.randomUUID().toString();
        shop.late = Sinks.one();
    }

    private HttpResponse<String> order(String path, String body, String key, String... headers) throws Exception {
        HttpRequest.Builder request = request(path, headers)
                .header("Content-Type", "application/json")
                .header("Idempotency-Key", key);
        return send(request.POST(HttpRequest.BodyPublishers.ofString(body)));
    }

    @Test
    void runsOnceAndReplaysStatusHeadersAndBody() throws Exception {
        HttpResponse<String> first = order("/orders", ORDER, key);
        assertThat(first.statusCode()).isEqualTo(201);
        assertThat(first.body()).isEqualTo("{\"number\":1,\"order\":{\"item\":\"book\",\"count\":2}}");
        assertThat(first.headers().firstValue("Idempotency-Replayed")).isEmpty();
        HttpResponse<String> again = order("/orders", ORDER, "\"" + key + "\"");
        assertThat(again.statusCode()).isEqualTo(201);
        assertThat(again.body()).isEqualTo(first.body());
        assertThat(header(again, "Location")).isEqualTo("/orders/1");
        assertThat(header(again, "X-Number")).isEqualTo("n1");
        assertThat(header(again, "Content-Type")).isEqualTo(header(first, "Content-Type"));
        assertThat(header(again, "Idempotency-Replayed")).isEqualTo("true");
        assertThat(shop.runs).hasValue(1);
    }

    @Test
    void runsAnAsynchronousControllerOnce() throws Exception {
        HttpResponse<String> first = order("/orders/async", ORDER, key);
        assertThat(first.statusCode()).isEqualTo(200);
        assertThat(first.body()).contains("\"number\":1");
        assertThat(order("/orders/async", ORDER, key).body()).isEqualTo(first.body());
        assertThat(shop.runs).hasValue(1);
    }

    @Test
    void refusesTheKeyForAnotherRequest() throws Exception {
        order("/orders", ORDER, key);
        HttpResponse<String> other = order("/orders", ORDER.replace("2", "3"), key);
        assertThat(other.statusCode()).isEqualTo(422);
        assertThat(header(other, "Content-Type")).isEqualTo("application/problem+json");
        assertThat(order("/orders/async", ORDER, key).statusCode()).isEqualTo(422);
        assertThat(shop.runs).hasValue(1);
    }

    @Test
    void refusesTheKeyWhileTheFirstRequestRuns() throws Exception {
        HttpRequest late = request("/orders/late", "Idempotency-Key", key)
                .POST(HttpRequest.BodyPublishers.noBody())
                .build();
        CompletableFuture<HttpResponse<String>> first = client.sendAsync(late, HttpResponse.BodyHandlers.ofString());
        await().atMost(Duration.ofSeconds(5)).until(() -> shop.runs.get() == 1);
        HttpResponse<String> second = post("/orders/late", "", "Idempotency-Key", key);
        assertThat(second.statusCode()).isEqualTo(409);
        assertThat(Long.parseLong(header(second, "Retry-After"))).isBetween(1L, 10L);
        shop.late.tryEmitValue("done");
        assertThat(first.join().body()).isEqualTo("done");
        assertThat(post("/orders/late", "", "Idempotency-Key", key).body()).isEqualTo("done");
        assertThat(shop.runs).hasValue(1);
    }

    @Test
    void keepsTheUsersApart() throws Exception {
        assertThat(order("/orders", ORDER, key, "X-Test-User", "ann").body()).contains("\"number\":1");
        assertThat(order("/orders", ORDER, key, "X-Test-User", "bob").body()).contains("\"number\":2");
        assertThat(order("/orders", ORDER, key).body()).contains("\"number\":3");
        assertThat(order("/orders", ORDER, key, "X-Test-User", "ann").body()).contains("\"number\":1");
    }

    @Test
    void forgetsARequestThatFailed() throws Exception {
        assertThat(post("/orders/failing", "", "Idempotency-Key", key).statusCode())
                .isEqualTo(502);
        HttpResponse<String> second = post("/orders/failing", "", "Idempotency-Key", key);
        assertThat(second.statusCode()).isEqualTo(200);
        assertThat(second.headers().firstValue("Idempotency-Replayed")).isEmpty();
        shop.runs.set(0);
        assertThat(post("/orders/throwing", "", "Idempotency-Key", key + "t").statusCode())
                .isEqualTo(409);
        assertThat(post("/orders/throwing", "", "Idempotency-Key", key + "t").body())
                .isEqualTo("done");
        assertThat(post("/orders/throwing", "", "Idempotency-Key", key + "t").body())
                .isEqualTo("done");
        assertThat(shop.runs).hasValue(2);
    }

    @Test
    void comparesForms() throws Exception {
        String[] headers = {"Content-Type", "application/x-www-form-urlencoded", "Idempotency-Key", key};
        assertThat(post("/orders/form", "item=book", headers).body()).isEqualTo("book1");
        assertThat(post("/orders/form", "item=book", headers).body()).isEqualTo("book1");
        assertThat(post("/orders/form", "item=pen", headers).statusCode()).isEqualTo(422);
    }

    @Test
    void refusesWhatCannotBeAKey() throws Exception {
        for (String bad : new String[] {"", "x".repeat(256), "a b", "\"a", "\"\"", "a\"b"}) {
            assertThat(order("/orders", ORDER, bad).statusCode()).as(bad).isEqualTo(400);
        }
        assertThat(send(request("/orders", "Idempotency-Key", "a", "Idempotency-Key", "b")
                                .POST(HttpRequest.BodyPublishers.ofString(ORDER)))
                        .statusCode())
                .isEqualTo(400);
        assertThat(post("/orders", ORDER, "Idempotency-Key", key, "Content-Type", "multipart/form-data; boundary=x")
                        .statusCode())
                .isEqualTo(415);
        assertThat(shop.runs).hasValue(0);
    }

    @Test
    void refusesABodyThatIsTooLong() throws Exception {
        String body = "{\"item\":\"" + "x".repeat(11_000) + "\",\"count\":1}";
        assertThat(order("/orders", body, key).statusCode()).isEqualTo(413);
        assertThat(post("/orders", body, "Content-Type", "application/json").statusCode())
                .isEqualTo(201);
    }

    @Test
    void doesNotRunAgainWhatAnsweredTooMuchToKeep() throws Exception {
        HttpResponse<String> first = post("/orders/huge", "", "Idempotency-Key", key);
        assertThat(first.statusCode()).isEqualTo(200);
        assertThat(first.body()).hasSize(1_100_001);
        assertThat(post("/orders/huge", "", "Idempotency-Key", key).statusCode())
                .isEqualTo(409);
        assertThat(shop.runs).hasValue(1);
    }

    @Test
    void runsARequestWithoutTheHeaderAsEver() throws Exception {
        post("/orders", ORDER, "Content-Type", "application/json");
        post("/orders", ORDER, "Content-Type", "application/json");
        assertThat(shop.runs).hasValue(2);
    }
}
