// SPDX-License-Identifier: Apache-2.0
package dev.interlock.flashsale.serve;

import static org.assertj.core.api.Assertions.assertThat;

import dev.interlock.flashsale.serve.Shop.Answer;
import java.net.http.HttpRequest.BodyPublishers;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What a careless or hostile client may send: each has its status, none is an error of the service. */
@ExtendWith(Shop.Shared.class)
class BadInputIT {
    private static final String CAMPAIGNS = "/api/campaigns";

    private final Shop shop;

    BadInputIT(Shop shop) {
        this.shop = shop;
    }

    private int raw(String head, byte[] body) {
        byte[] start = (head + "Host: x\r\nConnection: close\r\nAuthorization: " + Shop.basic(Shop.OPERATOR)
                        + "\r\n\r\n")
                .getBytes(StandardCharsets.ISO_8859_1);
        byte[] all = new byte[start.length + body.length];
        System.arraycopy(start, 0, all, 0, start.length);
        System.arraycopy(body, 0, all, start.length, body.length);
        return RawHttp.status(shop.service.port(), all);
    }

    private int raw(String head) {
        return raw(head, new byte[0]);
    }

    private int posted(String type, byte[] body) {
        return raw(
                "POST /api/campaigns HTTP/1.1\r\nContent-Type: " + type + "\r\nIdempotency-Key: bad\r\nContent-Length: "
                        + body.length + "\r\n",
                body);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "no json",
                "{\"name\":\"x\",\"units\":1",
                "[]",
                "[{\"name\":\"x\",\"units\":1}]",
                "null",
                "7",
                "{\"name\":\"x\",\"units\":1} {}",
                "{\"name\":\"x\",\"name\":\"y\",\"units\":1}",
                "{\"name\":\"x\",\"units\":1,\"unheard\":1}",
                "{\"name\":7,\"units\":1}",
                "{\"name\":\"\\uD800\",\"units\":1}",
                "{\"name\":\"a\\u0000b\",\"units\":1}",
                "{\"name\":\"a\\u202Eb\",\"units\":1}",
                "{\"name\":\" x\",\"units\":1}",
                "{\"name\":\"\",\"units\":1}",
                "{\"name\":\"x\",\"units\":0}",
                "{\"name\":\"x\",\"units\":-1}",
                "{\"name\":\"x\",\"units\":-0}",
                "{\"name\":\"x\",\"units\":1e400}",
                "{\"name\":\"x\",\"units\":1E-400}",
                "{\"name\":\"x\",\"units\":1.0}",
                "{\"name\":\"x\",\"units\":1.5}",
                "{\"name\":\"x\",\"units\":1e3}",
                "{\"name\":\"x\",\"units\":0x10}",
                "{\"name\":\"x\",\"units\":007}",
                "{\"name\":\"x\",\"units\":+5}",
                "{\"name\":\"x\",\"units\":NaN}",
                "{\"name\":\"x\",\"units\":\"5\"}",
                "{\"name\":\"x\",\"units\":true}",
                "{\"name\":\"x\",\"units\":9223372036854775807}",
                "{\"name\":\"x\",\"units\":9223372036854775808}",
                "{\"name\":\"x\",\"units\":1000000000001}",
                "{\"name\":\"x\",\"units\":1,\"limitPerUser\":101}",
                "{\"name\":\"x\",\"units\":1,\"stock\":1}",
                "{\"name\":\"x\",\"units\":1,\"opensAt\":1893456000}",
                "{\"name\":\"x\",\"units\":1,\"opensAt\":\"2030-01-01T00:00:00\"}",
                "{\"name\":\"x\",\"units\":1,\"opensAt\":\"2030-06-30T23:59:60Z\"}",
                "{\"name\":\"x\",\"units\":1,\"opensAt\":\"2030-02-30T00:00:00Z\"}",
                "{\"name\":\"x\",\"units\":1,\"opensAt\":\"10000-01-01T00:00:00Z\"}",
                "{\"name\":\"x\",\"units\":1,\"opensAt\":\"9999-12-31T00:00:00Z\"}",
                "{\"name\":\"x\",\"units\":1,\"opensAt\":\"2030-01-01T00:00:00Z\",\"closesAt\":\"2030-01-01T00:00:00Z\"}",
                "{\"name\":\"x\",\"units\":1,\"opensAt\":\"2030-01-02T00:00:00Z\",\"closesAt\":\"2030-01-01T00:00:00Z\"}"
            })
    void aBodyThatBreaksARuleIsRefused(String body) {
        Answer answer = shop.order(CAMPAIGNS, body, "bad");
        assertThat(answer.status()).as(answer.response().body()).isEqualTo(400);
        assertThat(answer.type()).isEqualTo("invalid");
    }

    @Test
    void bodiesOfOtherEncodingsAndSizesAreRefused() {
        String json = "{\"name\":\"x\",\"units\":1}";
        assertThat(posted("application/json", json.getBytes(StandardCharsets.UTF_16)))
                .isEqualTo(400);
        assertThat(posted("application/json", json.getBytes(Charset.forName("UTF-32"))))
                .isEqualTo(400);
        assertThat(posted("application/json;charset=UTF-16", json.getBytes(StandardCharsets.UTF_16)))
                .isIn(400, 415);
        assertThat(posted("application/json", ("\uFEFF" + json).getBytes(StandardCharsets.UTF_8)))
                .isEqualTo(400);
        assertThat(posted("application/json", new byte[] {'{', '"', (byte) 0xC3, '"', ':', '1', '}'}))
                .isEqualTo(400);
        assertThat(shop.order(CAMPAIGNS, "[".repeat(10_000) + "]".repeat(5)).status())
                .isEqualTo(400);
        Answer large = shop.order(CAMPAIGNS, " ".repeat(10_000_000));
        assertThat(large.status()).isEqualTo(413);
        assertThat(large.type()).isEqualTo("too-large");
    }

    @ParameterizedTest
    @CsvSource({"text/xml", "text/plain", "application/x-www-form-urlencoded", "application/octet-stream", "'nonsense'"
    })
    void anotherTypeThanJsonIsRefused(String type) {
        assertThat(posted(type, "{\"name\":\"x\",\"units\":1}".getBytes(StandardCharsets.UTF_8)))
                .isEqualTo(415);
    }

    @Test
    void aMissingTypeIsRefused() {
        assertThat(raw(
                        "POST /api/campaigns HTTP/1.1\r\nIdempotency-Key: bad\r\nContent-Length: 2\r\n",
                        new byte[] {'{', '}'}))
                .isEqualTo(415);
        assertThat(raw(
                        "POST /api/campaigns/1/coupons HTTP/1.1\r\nX-User-Id: a\r\nIdempotency-Key: bad\r\n"
                                + "Content-Type: text/xml\r\nContent-Length: 2\r\n",
                        new byte[] {'{', '}'}))
                .isEqualTo(415);
    }

    @Test
    void aWrongMethodIsToldWhichAreRight() {
        Answer answer = shop.send(shop.request("/api/campaigns/1/coupons").GET());
        assertThat(answer.status()).isEqualTo(405);
        assertThat(answer.type()).isEqualTo("method-not-allowed");
        assertThat(answer.header("Allow")).contains("POST");
        assertThat(shop.send(shop.request("/api/live").DELETE()).status()).isEqualTo(405);
    }

    @Test
    void anUnknownPathIsNotFound() {
        for (String path : List.of("/nope", "/api/nope", "/api/campaigns/1/nope", "/actuator/env", "/error")) {
            Answer answer = shop.get(path);
            assertThat(answer.status()).as(path).isEqualTo(404);
            assertThat(answer.type()).isEqualTo("not-found");
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "/api/campaigns/%00",
                "/api/campaigns/1%2F2",
                "/api/campaigns/1;jsessionid=1",
                "/api/campaigns/%2531",
                "/api/campaigns/%",
                "/api/campaigns/..%2f..%2fetc",
                "/api/campaigns/../../etc/passwd",
                "/api/campaigns//1",
                "/api/campaigns/9223372036854775808",
                "/api/campaigns/0",
                "/api/campaigns/-1",
                "/api/campaigns/007",
                "/api/campaigns/1.0",
                "/api/campaigns/%D9%A3",
                "/api/campaigns/');%20drop%20table%20flashsale_sale;--"
            })
    void anOddPathIsRefused(String path) {
        assertThat(raw("GET " + path + " HTTP/1.1\r\n")).as(path).isEqualTo(400);
    }

    @Test
    void manyHeadersAndParametersAreRefused() {
        assertThat(raw("GET /api/campaigns HTTP/1.1\r\nX-Large: " + "x".repeat(100_000) + "\r\n"))
                .isIn(413, 431);
        assertThat(raw("GET /api/campaigns?" + "a=1&".repeat(1_000) + " HTTP/1.1\r\n"))
                .isEqualTo(400);
        assertThat(raw("GET /" + "x".repeat(100_000) + " HTTP/1.1\r\n")).isIn(400, 414);
        assertThat(raw("POST /api/campaigns/1/coupons HTTP/1.1\r\nX-User-Id: \u00e9\r\nIdempotency-Key: k\r\n"))
                .isEqualTo(400);
        assertThat(raw("POST /api/campaigns/1/coupons HTTP/1.1\r\n"
                        + "X-User-Id: a\r\n"
                        + "X-User-Id: b\r\n"
                        + "Idempotency-Key: k\r\n"))
                .isEqualTo(400);
    }

    @Test
    void aRequestWithTwoLengthsIsRefused() {
        assertThat(raw(
                        "POST /api/campaigns HTTP/1.1\r\nContent-Type: application/json\r\nContent-Length: 5\r\n"
                                + "Transfer-Encoding: chunked\r\n",
                        "0\r\n\r\n".getBytes(StandardCharsets.UTF_8)))
                .isEqualTo(400);
        assertThat(raw(
                        "POST /api/campaigns HTTP/1.1\r\nContent-Type: application/json\r\nContent-Length: 2\r\n"
                                + "Content-Length: 3\r\n",
                        "{}".getBytes(StandardCharsets.UTF_8)))
                .isEqualTo(400);
    }

    @Test
    void aSlowBodyIsGivenUp() {
        try (RawHttp http = new RawHttp(shop.service.port())) {
            http.send(("POST /api/campaigns HTTP/1.1\r\n"
                            + "Host: x\r\n"
                            + "Content-Type:"
                            + " application/json\r\n"
                            + "Content-Length: 100\r\n"
                            + "Authorization:"
                            + " " + Shop.basic(Shop.OPERATOR) + "\r\nIdempotency-Key: k\r\n\r\n{")
                    .getBytes(StandardCharsets.ISO_8859_1));
            long start = System.nanoTime();
            String answer = http.readHead();
            assertThat(RawHttp.statusOf(answer)).isEqualTo(408);
            assertThat(Duration.ofNanos(System.nanoTime() - start)).isLessThan(Duration.ofSeconds(12));
        }
    }

    @Test
    void aClientThatIsGoneGetsItsUnitByItsKey() {
        long campaign = shop.campaign(1);
        try (RawHttp http = new RawHttp(shop.service.port())) {
            http.send(("POST /api/campaigns/" + campaign + "/coupons HTTP/1.1\r\nHost: x\r\nX-User-Id: gone\r\n"
                            + "Idempotency-Key: k\r\nContent-Length: 0\r\n\r\n")
                    .getBytes(StandardCharsets.ISO_8859_1));
        }
        // It may have gone too early for any effect; then this is the first request.
        Answer again = shop.coupon(campaign, "gone", "k");
        assertThat(again.status()).isIn(200, 201);
        assertThat(again.json().get("sequence").asLong()).isEqualTo(1);
        assertThat(shop.get(CAMPAIGNS + "/" + campaign).json().get("left").asLong())
                .isZero();
    }

    @Test
    void anotherRepresentationIsNotAcceptable() {
        Answer answer = shop.send(shop.request(CAMPAIGNS).header("Accept", "image/png"));
        assertThat(answer.status()).isEqualTo(406);
        assertThat(answer.type()).isEqualTo("not-acceptable");
    }

    @Test
    void headOptionsAndOtherSitesHaveNoEffect() {
        long campaign = shop.campaign(1);
        String path = "/api/campaigns/" + campaign + "/coupons";
        assertThat(shop.send(shop.request(path)
                                .header("X-User-Id", "a")
                                .header("Idempotency-Key", "k")
                                .method("HEAD", BodyPublishers.noBody()))
                        .status())
                .isEqualTo(405);
        assertThat(shop.send(shop.request(path).method("OPTIONS", BodyPublishers.noBody()))
                        .status())
                .isLessThan(500);
        assertThat(shop.send(shop.request(path)
                                .header("Origin", "http://evil.example")
                                .header("Access-Control-Request-Method", "POST")
                                .method("OPTIONS", BodyPublishers.noBody()))
                        .response()
                        .headers()
                        .map())
                .doesNotContainKey("access-control-allow-origin");
        for (String header : List.of("Origin", "Sec-Fetch-Site")) {
            String value = header.equals("Origin") ? "http://evil.example" : "cross-site";
            Answer forged = shop.send(shop.request("/api/campaigns/" + campaign + "/close")
                    .header(header, value)
                    .header("Authorization", Shop.basic(Shop.OPERATOR))
                    .header("Content-Type", "application/json")
                    .header("Idempotency-Key", "k")
                    .POST(BodyPublishers.ofString("{\"reason\":\"forged\"}")));
            assertThat(forged.status()).isEqualTo(403);
        }
        assertThat(shop.get(CAMPAIGNS + "/" + campaign).json().get("left").asLong())
                .isEqualTo(1);
    }

    @Test
    void textOfSqlIsTextAndFormatsAreLiteral() {
        String name = "'); drop table flashsale_sale;-- %s%n ${jndi:ldap://x}";
        Answer made = shop.order(CAMPAIGNS, "{\"name\":\"" + name + "\",\"units\":1}");
        assertThat(made.status()).isEqualTo(201);
        long id = made.json().get("id").asLong();
        assertThat(shop.get(CAMPAIGNS + "/" + id).json().get("name").asString()).isEqualTo(name);
        assertThat(shop.coupon(id, "');--", "%s%n").status()).isEqualTo(201);
    }
}
