// SPDX-License-Identifier: Apache-2.0
package dev.interlock.flashsale.serve;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.interlock.flashsale.serve.Shop.Answer;
import dev.interlock.flashsale.serve.recording.Recorder;
import dev.interlock.flashsale.serve.storage.Database;
import dev.interlock.ledger.Ledger;
import dev.interlock.ledger.ReconcileResult;
import java.net.http.HttpRequest.BodyPublishers;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

@ExtendWith(Shop.Shared.class)
class CouponIT {
    private final Shop shop;

    CouponIT(Shop shop) {
        this.shop = shop;
    }

    @Test
    void aCouponIsIssuedReplayedAndRecorded() {
        long campaign = shop.campaign(2);

        Answer first = shop.coupon(campaign, "anna", "a-1");
        assertThat(first.status()).isEqualTo(201);
        assertThat(first.json().get("sequence").asLong()).isEqualTo(1);
        assertThat(first.header("RateLimit-Policy")).isEqualTo("\"coupons\";q=60;w=60");
        assertThat(first.header("RateLimit")).matches("\"coupons\";r=\\d+;t=\\d+");

        Answer again = shop.coupon(campaign, "anna", "a-1");
        assertThat(again.status()).isEqualTo(200);
        assertThat(again.json().get("sequence").asLong()).isEqualTo(1);

        Answer other = shop.coupon(campaign, "anna", "a-2");
        assertThat(other.status()).isEqualTo(409);
        assertThat(other.type()).isEqualTo("already-issued");

        assertThat(shop.coupon(campaign, "bert", "a-1").status())
                .as("the key of another user is no key of his")
                .isEqualTo(201);
        Answer late = shop.coupon(campaign, "carl", "c-1");
        assertThat(late.status()).isEqualTo(410);
        assertThat(late.type()).isEqualTo("sold-out");
        assertThat(shop.coupon(campaign, "anna", "a-1").status())
                .as("who has one never hears sold out")
                .isEqualTo(200);

        Ledger ledger = Ledger.of(shop.bean(Database.class).source());
        await().atMost(Duration.ofSeconds(10)).until(() -> ledger.recordedUnits("campaign-" + campaign) == 2);
        assertThat(shop.bean(Recorder.class).check("campaign-" + campaign))
                .get()
                .isInstanceOf(ReconcileResult.Consistent.class);
        assertThat(shop.get("/api/campaigns/" + campaign).json().get("state").asString())
                .isEqualTo("soldOut");
    }

    @Test
    void aCampaignIsNotOpenThenOpenedClosedAndRestocked() {
        String later = Instant.now().plusSeconds(3_600).toString().substring(0, 19) + "Z";
        long id = shop.order("/api/campaigns", "{\"name\":\"later\",\"units\":1,\"opensAt\":\"" + later + "\"}")
                .json()
                .get("id")
                .asLong();
        Answer early = shop.coupon(id, "anna", "a-1");
        assertThat(early.status()).isEqualTo(425);
        assertThat(early.type()).isEqualTo("not-open");
        assertThat(Long.parseLong(early.header("Retry-After"))).isBetween(3_000L, 3_601L);

        Answer opened = shop.order("/api/campaigns/" + id + "/open", "{\"reason\":\"it is time\"}");
        assertThat(opened.json().get("state").asString()).isEqualTo("open");
        assertThat(shop.coupon(id, "anna", "a-1").status()).isEqualTo(201);
        assertThat(shop.coupon(id, "bert", "b-1").status()).isEqualTo(410);

        Answer more = shop.order("/api/campaigns/" + id + "/restock", "{\"reason\":\"more\",\"units\":5}", "more-1");
        assertThat(more.json().get("left").asLong()).isEqualTo(5);
        Answer repeated =
                shop.order("/api/campaigns/" + id + "/restock", "{\"reason\":\"more\",\"units\":5}", "more-1");
        assertThat(repeated.json().get("units").asLong()).isEqualTo(6);
        assertThat(repeated.json().get("left").asLong()).isEqualTo(5);
        assertThat(shop.order("/api/campaigns/" + id + "/restock", "{\"reason\":\"more\",\"units\":6}", "more-1")
                        .type())
                .isEqualTo("request-id-reused");
        await().atMost(Duration.ofSeconds(2))
                .until(() -> shop.coupon(id, "bert", "b-2").status() == 201);

        assertThat(shop.order(
                                "/api/campaigns/" + id + "/revoke",
                                "{\"reason\":\"r\",\"userId\":\"anna\",\"sequence\":1}")
                        .status())
                .as("the first event of the campaign was its opening")
                .isEqualTo(409);

        Answer closed = shop.order("/api/campaigns/" + id + "/close", "{\"reason\":\"enough\"}");
        assertThat(closed.json().get("state").asString()).isEqualTo("closed");
        Answer refused = shop.coupon(id, "carl", "c-1");
        assertThat(refused.status()).isEqualTo(410);
        assertThat(refused.type()).isEqualTo("closed");
        assertThat(shop.asOperator("/api/operator/audit").response().body())
                .contains("it is time", "enough", "restock", "campaign-" + id);
    }

    @Test
    void makingACampaignTwiceByOneKeyMakesOne() {
        String json = "{\"name\":\"once\",\"units\":3}";
        Answer first = shop.order("/api/campaigns", json, "once-1");
        Answer second = shop.order("/api/campaigns", json, "once-1");
        assertThat(first.status()).isEqualTo(201);
        assertThat(second.status()).isEqualTo(200);
        assertThat(second.json().get("id")).isEqualTo(first.json().get("id"));
        assertThat(shop.order("/api/campaigns", "{\"name\":\"once\",\"units\":4}", "once-1")
                        .type())
                .isEqualTo("request-id-reused");
    }

    @Test
    void userAndKeyAreNeededAndMustBePlain() {
        long campaign = shop.campaign(1);
        String path = "/api/campaigns/" + campaign + "/coupons";
        assertThat(shop.send(shop.request(path).header("X-User-Id", "anna").POST(BodyPublishers.noBody()))
                        .status())
                .isEqualTo(400);
        for (String key : List.of("", "a b", "x".repeat(129))) {
            assertThat(shop.coupon(campaign, "anna", key).status()).as(key).isEqualTo(400);
        }
        assertThat(shop.coupon(campaign, "x".repeat(129), "k").status()).isEqualTo(400);
        Answer other = shop.ask(path, "anna", "k", "{\"userId\":\"bert\"}");
        assertThat(other.status()).isEqualTo(403);
        assertThat(shop.ask(path, "anna", "k", "{\"userId\":\"anna\"}").status())
                .isEqualTo(201);
    }

    @Test
    void whatIsNotThereIsNotFound() {
        assertThat(shop.coupon(999_999, "anna", "a").type()).isEqualTo("not-found");
        long product = shop.product(1, 1, 0);
        assertThat(shop.coupon(product, "anna", "a").status()).isEqualTo(404);
        assertThat(shop.get("/api/campaigns/" + product).status()).isEqualTo(404);
    }

    @Test
    void tooManyRequestsOfOneUserAreToldWhenToComeBack() {
        long campaign = shop.campaign(1);
        List<Answer> told = IntStream.range(0, 65)
                .mapToObj(i -> shop.coupon(campaign, "greedy", "g-" + i))
                .toList();
        assertThat(told).extracting(Answer::status).containsOnly(201, 409, 429);
        assertThat(told).filteredOn(each -> each.status() != 429).hasSizeBetween(60, 64);
        Answer refused = told.get(64);
        assertThat(refused.type()).isEqualTo("limited");
        assertThat(refused.header("Retry-After")).isEqualTo("1");
        assertThat(refused.header("RateLimit")).startsWith("\"coupons\";r=0;t=");
        Answer other = shop.coupon(campaign, "modest", "m");
        assertThat(other.status()).isEqualTo(410);
    }
}
