// SPDX-License-Identifier: Apache-2.0
package dev.interlock.flashsale.serve;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.interlock.Interlock;
import dev.interlock.flashsale.serve.Shop.Answer;
import dev.interlock.lock.Lease;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

@ExtendWith(Shop.Shared.class)
class ProductIT {
    private final Shop shop;

    ProductIT(Shop shop) {
        this.shop = shop;
    }

    private Answer hold(long product, String user, String key, int quantity) {
        return shop.ask("/api/products/" + product + "/holds", user, key, "{\"quantity\":" + quantity + "}");
    }

    private Answer end(long product, String hold, String user, String how) {
        return shop.ask("/api/products/" + product + "/holds/" + hold + '/' + how, user, how, "");
    }

    @Test
    void unitsAreHeldConfirmedAndCancelled() {
        long product = shop.product(5, 3, 0);
        Answer held = hold(product, "anna", "h1", 3);
        assertThat(held.status()).isEqualTo(201);
        String id = held.json().get("id").asString();
        assertThat(hold(product, "anna", "h1", 3).status()).isEqualTo(200);
        assertThat(hold(product, "anna", "h1", 2).type()).isEqualTo("request-id-reused");
        assertThat(hold(product, "anna", "h2", 1).status()).as("over the limit").isEqualTo(409);
        assertThat(hold(product, "bert", "h1", 3).type()).as("two are left").isEqualTo("conflict");

        assertThat(end(product, id, "bert", "confirm").status()).as("not his").isEqualTo(404);
        Answer confirmed = end(product, id, "anna", "confirm");
        assertThat(confirmed.status()).isEqualTo(200);
        assertThat(end(product, id, "anna", "confirm").json().get("firstSequence"))
                .isEqualTo(confirmed.json().get("firstSequence"));
        assertThat(end(product, id, "anna", "cancel").status()).isEqualTo(409);

        String second = hold(product, "bert", "h2", 2).json().get("id").asString();
        assertThat(hold(product, "carl", "h", 1).status()).isEqualTo(410);
        assertThat(end(product, second, "bert", "cancel").json().get("status").asString())
                .isEqualTo("cancelled");
        assertThat(end(product, second, "bert", "confirm").type()).isEqualTo("hold-ended");
        await().atMost(Duration.ofSeconds(2))
                .until(() -> hold(product, "carl", "h", 1).status() == 201);
        assertThat(end(product, "1-2", "carl", "confirm").status()).isEqualTo(400);
    }

    @Test
    void theRowIsDecreasedOnceForEachRequestAndNeverBelowZero() {
        long product = shop.product(1, 1, 50);
        String path = "/api/products/" + product + "/decrease";
        List<Integer> told = IntStream.range(0, 60)
                .mapToObj(i -> CompletableFuture.supplyAsync(() ->
                        shop.ask(path, "user-" + i, "k", "{\"quantity\":1}").status()))
                .toList()
                .stream()
                .map(CompletableFuture::join)
                .toList();
        assertThat(told).filteredOn(status -> status == 200).hasSize(50);
        assertThat(told).filteredOn(status -> status == 410).hasSize(10);

        int winner = told.indexOf(200);
        Answer again = shop.ask(path, "user-" + winner, "k", "{\"quantity\":1}");
        assertThat(again.json().get("replayed").asBoolean()).isTrue();
        assertThat(shop.ask(path, "user-" + winner, "k", "{\"quantity\":2}").type())
                .isEqualTo("request-id-reused");
    }

    @Test
    void anOperatorSeesWhoHoldsTheLockAndTakesItAway() {
        long product = shop.product(1, 1, 5);
        String lock = "stock:" + product;
        try (Lease lease = shop.bean(Interlock.class).lock(lock).tryAcquire().orElseThrow()) {
            CompletableFuture<Answer> waiting = CompletableFuture.supplyAsync(
                    () -> shop.ask("/api/products/" + product + "/decrease", "anna", "k", "{\"quantity\":1}"));
            assertThat(shop.asOperator("/api/operator/locks?name=" + lock)
                            .json()
                            .get(0)
                            .get("fence")
                            .asLong())
                    .isEqualTo(lease.fence());
            assertThat(shop.asOperator("/api/operator/locks").response().body()).contains(lock);
            assertThat(shop.order("/api/operator/locks/release", "{\"name\":\"" + lock + "\"}")
                            .status())
                    .as("without a reason")
                    .isEqualTo(400);
            Answer released =
                    shop.order("/api/operator/locks/release", "{\"name\":\"" + lock + "\",\"reason\":\"it hangs\"}");
            assertThat(released.json().get("released").asBoolean()).isTrue();
            assertThat(waiting.join().status()).isEqualTo(200);
            await().atMost(Duration.ofSeconds(2)).until(() -> !lease.isValid());
        }
        assertThat(shop.asOperator("/api/operator/locks?name=" + lock).status()).isEqualTo(404);
    }

    @Test
    void onlyOperatorsMayDoWhatOperatorsDo() {
        for (String path : List.of("/api/operator/locks", "/api/operator/pools", "/api/operator/audit", "/api/rush")) {
            Answer refused = shop.get(path);
            assertThat(refused.status()).as(path).isEqualTo(401);
            assertThat(refused.type()).isEqualTo("unauthorized");
            assertThat(refused.header("WWW-Authenticate")).startsWith("Basic ");
            assertThat(shop.send(shop.request(path).header("Authorization", Shop.basic("operator:wrong")))
                            .status())
                    .isEqualTo(401);
        }
        assertThat(shop.ask("/api/campaigns", "anna", "k", "{\"name\":\"x\",\"units\":1}")
                        .status())
                .isEqualTo(401);
        assertThat(shop.ask("/api/campaigns/1/close", "anna", "k", "{\"reason\":\"x\"}")
                        .status())
                .isEqualTo(401);
    }

    @Test
    void limitsAndPoolsAreShownToOperators() {
        long campaign = shop.campaign(3);
        shop.coupon(campaign, "limited", "k");
        assertThat(shop.asOperator("/api/operator/limits")
                        .json()
                        .get(0)
                        .get("policy")
                        .asString())
                .isEqualTo("60 in 60 s");
        assertThat(shop.asOperator("/api/operator/limits/coupons?user=limited")
                        .json()
                        .get("remaining")
                        .asLong())
                .isPositive();
        assertThat(shop.order("/api/operator/limits/coupons/reset", "{\"user\":\"limited\",\"reason\":\"mercy\"}")
                        .json()
                        .get("remaining")
                        .asLong())
                .isEqualTo(60);
        assertThat(shop.asOperator("/api/operator/pools").response().body()).contains("campaign-" + campaign);
        assertThat(shop.order("/api/operator/pools/campaign-" + campaign + "/reconcile", "")
                        .json()
                        .get("result")
                        .asString())
                .isEqualTo("Consistent");
        assertThat(shop.asOperator("/api/operator/pools/campaign-" + campaign + "/dead")
                        .response()
                        .body())
                .isEqualTo("[]");
        assertThat(shop.asOperator("/api/operator/pools/nope/dead").status()).isEqualTo(404);
    }
}
