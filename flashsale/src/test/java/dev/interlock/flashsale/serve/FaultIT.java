// SPDX-License-Identifier: Apache-2.0
package dev.interlock.flashsale.serve;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import com.zaxxer.hikari.HikariDataSource;
import dev.interlock.Interlock;
import dev.interlock.flashsale.console.FailedException;
import dev.interlock.flashsale.serve.Shop.Answer;
import dev.interlock.flashsale.serve.recording.Recorder;
import dev.interlock.flashsale.serve.storage.Database;
import dev.interlock.ledger.Ledger;
import dev.interlock.pool.Pool;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse.BodyHandlers;
import java.sql.Connection;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

@ExtendWith(Shop.Shared.class)
class FaultIT {
    private static final Duration PATIENCE = Duration.ofSeconds(30);

    private final Shop shop;

    FaultIT(Shop shop) {
        this.shop = shop;
    }

    private long recorded(long campaign) {
        return Ledger.of(shop.bean(Database.class).source()).recordedUnits("campaign-" + campaign);
    }

    @Test
    void whileTheDatabaseHangsCouponsAreIssuedUntilTheBacklogLimit() {
        long campaign = shop.campaign(10_000);
        long product = shop.product(1, 1, 1);
        await().atMost(PATIENCE)
                .until(() -> shop.bean(Recorder.class)
                                .pool("campaign-" + campaign)
                                .orElseThrow()
                                .status()
                                .recorded()
                        == 0);
        shop.postgres.pause();
        try {
            assertThat(shop.coupon(campaign, "during", "k").status()).isEqualTo(201);
            assertThat(shop.get("/readyz").status()).isEqualTo(200);
            Answer decrease = shop.ask("/api/products/" + product + "/decrease", "during", "k", "{\"quantity\":1}");
            assertThat(decrease.status()).isEqualTo(503);
            assertThat(decrease.type()).isEqualTo("unavailable");
            assertThat(decrease.header("Retry-After")).isNotEmpty();

            Pool.Async pool =
                    shop.bean(Interlock.class).pool("campaign-" + campaign).async();
            List<CompletableFuture<?>> issued = new ArrayList<>();
            for (int i = 0; i < 5_500; i++) {
                issued.add(pool.issue("backlog-" + i, "k").toCompletableFuture());
            }
            issued.forEach(CompletableFuture::join);
            await().atMost(PATIENCE).until(() -> shop.get("/readyz").status() == 503);
            Answer refused = shop.coupon(campaign, "late", "k");
            assertThat(refused.status()).isEqualTo(503);
            assertThat(refused.header("Retry-After")).isEqualTo("5");
        } finally {
            shop.postgres.resume();
        }
        await().atMost(PATIENCE).until(() -> recorded(campaign) == 5_501);
        await().atMost(PATIENCE).until(() -> shop.coupon(campaign, "late", "k").status() == 201);
        assertThat(shop.get("/readyz").status()).isEqualTo(200);
    }

    @Test
    void withoutRedisNothingIsIssuedAndTheKeyResolvesWhatHappened() {
        long campaign = shop.campaign(5);
        shop.redis.pause();
        try {
            Answer refused = shop.coupon(campaign, "anna", "k");
            assertThat(refused.status()).isEqualTo(503);
            assertThat(refused.type()).isIn("outcome-unknown", "unavailable");
            assertThat(refused.header("Retry-After")).isEqualTo("1");
            assertThat(shop.get("/readyz").status()).isEqualTo(503);
            assertThat(shop.get("/livez").status()).isEqualTo(200);
        } finally {
            shop.redis.resume();
        }
        await().atMost(PATIENCE)
                .untilAsserted(() ->
                        assertThat(shop.coupon(campaign, "anna", "k").status()).isIn(200, 201));
        assertThat(shop.get("/api/campaigns/" + campaign).json().get("left").asLong())
                .isEqualTo(4);
    }

    @Test
    void whatRedisLostIsRebuiltBeforeAnythingIsIssued() {
        long campaign = shop.campaign(5);
        long product = shop.product(5, 1, 5);
        long sequence =
                shop.coupon(campaign, "anna", "k").json().get("sequence").asLong();
        await().atMost(PATIENCE).until(() -> recorded(campaign) == 1);

        shop.redis.expectOk("FLUSHALL");

        // Whether the first answer comes before or after it is rebuilt, it is none from an empty Redis.
        Answer first = shop.coupon(campaign, "bert", "k");
        assertThat(first.status()).isIn(201, 503);
        if (first.status() == 503) {
            assertThat(first.type()).isEqualTo("rebuilding");
            assertThat(first.header("Retry-After")).isNotEmpty();
        }
        await().atMost(PATIENCE).until(() -> shop.coupon(campaign, "bert", "k").status() < 300);
        Answer again = shop.coupon(campaign, "anna", "k");
        assertThat(again.status()).isEqualTo(200);
        assertThat(again.json().get("sequence").asLong()).isEqualTo(sequence);
        assertThat(shop.get("/api/campaigns/" + campaign).json().get("left").asLong())
                .isEqualTo(3);
        String holds = "/api/products/" + product + "/holds";
        await().atMost(PATIENCE).untilAsserted(() -> {
            Answer held = shop.ask(holds, "anna", "k", "{\"quantity\":1}");
            assertThat(held.status()).isIn(200, 201, 503);
            if (held.status() == 503) {
                assertThat(held.header("Retry-After")).isNotEmpty();
            }
            assertThat(held.status()).isLessThan(300);
        });
    }

    @Test
    void requestsThatTakeAllConnectionsDoNotKeepTheRelayFromRecording() throws Exception {
        long campaign = shop.campaign(5);
        HikariDataSource source = (HikariDataSource) shop.bean(Database.class).source();
        List<Connection> taken = new ArrayList<>();
        try {
            while (taken.size() < source.getMaximumPoolSize()) {
                taken.add(source.getConnection());
            }
            assertThat(shop.coupon(campaign, "anna", "k").status()).isEqualTo(201);
            await().atMost(PATIENCE)
                    .until(() -> shop.bean(Recorder.class)
                                    .pool("campaign-" + campaign)
                                    .orElseThrow()
                                    .status()
                                    .recorded()
                            == 1);
        } finally {
            for (Connection connection : taken) {
                connection.close();
            }
        }
    }

    @Test
    void aServerThatDoesNotAnswerIsToldInOneLine() {
        assertThatThrownBy(() -> Service.start(Shop.options("redis://127.0.0.1:1", shop.postgres.jdbcUrl())))
                .isInstanceOf(FailedException.class)
                .hasMessageContaining("cannot connect to Redis")
                .hasMessageContaining("check");
        assertThatThrownBy(() -> Service.start(
                        Shop.options(shop.redis.uri(), "jdbc:postgresql://127.0.0.1:1/x?user=x&password=s3cret")))
                .isInstanceOf(FailedException.class)
                .hasMessageContaining("--db")
                .hasMessageNotContaining("s3cret");
    }

    @Test
    void usersWhoLogInAreWhoTheySayTheyAre() throws Exception {
        long campaign = shop.campaign(5);
        System.setProperty("flashsale.users.passwords.anna", "pw");
        try (Service second = Service.start(Shop.options(shop.redis.uri(), shop.postgres.jdbcUrl()))) {
            assertThat(as(second, campaign, "anna", "")).isEqualTo(401);
            assertThat(as(second, campaign, "anna", "anna:wrong")).isEqualTo(401);
            assertThat(as(second, campaign, "bert", "anna:pw")).isEqualTo(403);
            assertThat(as(second, campaign, "anna", Shop.OPERATOR)).isEqualTo(403);
            assertThat(as(second, campaign, "anna", "anna:pw")).isEqualTo(201);
        } finally {
            System.clearProperty("flashsale.users.passwords.anna");
        }
    }

    private int as(Service service, long campaign, String user, String credentials) throws Exception {
        HttpRequest.Builder request = HttpRequest.newBuilder(
                        URI.create("http://127.0.0.1:" + service.port() + "/api/campaigns/" + campaign + "/coupons"))
                .timeout(Duration.ofSeconds(30))
                .header("X-User-Id", user)
                .header("Idempotency-Key", "k")
                .POST(BodyPublishers.noBody());
        if (!credentials.isEmpty()) {
            request.header("Authorization", Shop.basic(credentials));
        }
        return HttpClient.newHttpClient()
                .send(request.build(), BodyHandlers.discarding())
                .statusCode();
    }
}
