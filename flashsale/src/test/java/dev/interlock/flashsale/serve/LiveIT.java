// SPDX-License-Identifier: Apache-2.0
package dev.interlock.flashsale.serve;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.interlock.Interlock;
import dev.interlock.flashsale.serve.Shop.Answer;
import dev.interlock.lock.Lease;
import java.net.http.HttpClient;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.stream.StreamSupport;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

@ExtendWith(Shop.Shared.class)
class LiveIT {
    private static final JsonMapper JSON = new JsonMapper();

    private final Shop shop;

    LiveIT(Shop shop) {
        this.shop = shop;
    }

    private static JsonNode row(JsonNode view, String list, String key, String value) {
        return StreamSupport.stream(view.get(list).spliterator(), false)
                .filter(row -> row.get(key).asString().equals(value))
                .findFirst()
                .orElse(null);
    }

    @Test
    void aRushIsSeenWhileItRunsAndEndsWithExactCounts() {
        long campaign = shop.campaign(1_000);
        List<JsonNode> views = new CopyOnWriteArrayList<>();
        Thread listener = new Thread(() -> listen(views));
        listener.setDaemon(true);
        listener.start();
        try (Lease lease = shop.bean(Interlock.class).lock("seen").tryAcquire().orElseThrow()) {
            await().atMost(Duration.ofSeconds(10))
                    .until(() -> views.stream().anyMatch(view -> row(view, "locks", "name", "seen") != null));
            assertThat(row(views.get(views.size() - 1), "locks", "name", "seen")
                            .get("fence")
                            .asLong())
                    .isEqualTo(lease.fence());
        }

        Answer started = shop.order("/api/rush", "{\"campaignId\":" + campaign + ",\"requests\":20000,\"users\":5000}");
        assertThat(started.status()).isEqualTo(202);

        await().atMost(Duration.ofSeconds(20)).until(() -> {
            JsonNode last = views.get(views.size() - 1);
            JsonNode seen = row(last, "campaigns", "id", Long.toString(campaign));
            return last.get("rush").path("state").asString("").equals("done")
                    && seen.get("recording").get("recordedSequence").asLong() == 1_000;
        });
        JsonNode last = views.get(views.size() - 1);
        JsonNode seen = row(last, "campaigns", "id", Long.toString(campaign));
        assertThat(last.get("rush").get("done").asLong()).isEqualTo(20_000);
        assertThat(last.get("rush").get("issued").asLong()).isEqualTo(1_000);
        assertThat(seen.get("left").asLong()).isZero();
        assertThat(seen.get("state").asString()).isEqualTo("soldOut");
        assertThat(seen.get("recording").get("redisSequence").asLong()).isEqualTo(1_000);
        assertThat(views)
                .anySatisfy(
                        view -> assertThat(view.get("decisions").get("total").asDouble())
                                .isPositive());
        assertThat(last.get("decisions").get("perSecond").propertyNames())
                .containsExactly(
                        "issued",
                        "replayed",
                        "alreadyIssued",
                        "soldOut",
                        "closed",
                        "notOpen",
                        "limited",
                        "unavailable",
                        "unknown");
        assertThat(last.get("scripts")).anySatisfy(script -> {
            assertThat(script.get("name").asString()).contains("issue");
            assertThat(script.get("calls").asLong()).isPositive();
            assertThat(script.get("crossSlot").asLong()).isZero();
        });
        assertThat(last.get("limits").get(0).get("name").asString()).isEqualTo("coupons");
    }

    private void listen(List<JsonNode> views) {
        try {
            HttpClient.newHttpClient()
                    .send(shop.request("/api/live").build(), BodyHandlers.ofLines())
                    .body()
                    .filter(line -> line.startsWith("data:"))
                    .forEach(line -> views.add(JSON.readTree(line.substring(5))));
        } catch (Exception e) {
            // The service ends.
        }
    }

    @Test
    void aRushOfWrongSizeOrAtNothingIsRefused() {
        assertThat(shop.order("/api/rush", "{\"campaignId\":1,\"requests\":1000001,\"users\":1}")
                        .status())
                .isEqualTo(400);
        assertThat(shop.order("/api/rush", "{\"campaignId\":999999,\"requests\":1,\"users\":1}")
                        .status())
                .isEqualTo(404);
    }

    @Test
    void healthMetersAndTheDescriptionAreServed() {
        assertThat(shop.get("/readyz").json().get("status").asString()).isEqualTo("UP");
        assertThat(shop.get("/livez").json().get("status").asString()).isEqualTo("UP");
        assertThat(shop.get("/actuator/health").response().body()).doesNotContain("redis", "jdbc");
        assertThat(shop.get("/actuator/prometheus").response().body())
                .contains("flashsale_decisions_seconds_bucket", "flashsale_recording_lag", "flashsale_reconcile_checks")
                .doesNotContain("anna");
        for (String closed : List.of("/actuator/env", "/actuator/beans", "/actuator/heapdump", "/actuator/interlock")) {
            assertThat(shop.get(closed).status()).as(closed).isEqualTo(404);
        }
        JsonNode paths = shop.get("/v3/api-docs").json().get("paths");
        assertThat(paths.propertyNames())
                .contains(
                        "/api/campaigns/{id}/coupons",
                        "/api/products/{id}/holds",
                        "/api/products/{id}/decrease",
                        "/api/operator/locks",
                        "/api/live",
                        "/api/rush");
        assertThat(paths.get("/api/campaigns/{id}/coupons")
                        .get("post")
                        .get("responses")
                        .propertyNames())
                .contains("201", "200", "409", "410", "425", "429", "503");
        Answer page = shop.get("/swagger-ui/index.html");
        assertThat(page.status()).isEqualTo(200);
        assertThat(page.response().body()).as("it works without the network").doesNotContain("https://");
    }
}
