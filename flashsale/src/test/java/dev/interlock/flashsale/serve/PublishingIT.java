// SPDX-License-Identifier: Apache-2.0
package dev.interlock.flashsale.serve;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.interlock.ledger.KafkaPublisher;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.StringDeserializer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.kafka.test.EmbeddedKafkaBroker;
import org.springframework.kafka.test.EmbeddedKafkaKraftBroker;

/** The service with {@code --kafka}. */
@ExtendWith(Shop.Shared.class)
class PublishingIT {
    private static final String TOPIC = "pool-events";
    private static final TopicPartition PARTITION = new TopicPartition(TOPIC, 0);

    private final Shop shop;

    PublishingIT(Shop shop) {
        this.shop = shop;
    }

    private Service serve(String brokers) {
        return Service.start(new ServeOptions(
                0, List.of(shop.redis.uri()), shop.postgres.jdbcUrl(), brokers, Path.of("unused"), true, null));
    }

    private static int coupon(Service service, long campaign, String user) throws Exception {
        HttpRequest request = HttpRequest.newBuilder(
                        URI.create("http://127.0.0.1:" + service.port() + "/api/campaigns/" + campaign + "/coupons"))
                .timeout(Duration.ofSeconds(30))
                .header("X-User-Id", user)
                .header("Idempotency-Key", "k")
                .POST(BodyPublishers.noBody())
                .build();
        return HttpClient.newHttpClient()
                .send(request, BodyHandlers.discarding())
                .statusCode();
    }

    @Test
    void aCouponThatIsIssuedArrivesAsARecord() throws Exception {
        long campaign = shop.campaign(5);
        String pool = "campaign-" + campaign;
        EmbeddedKafkaBroker broker = new EmbeddedKafkaKraftBroker(1, 1, TOPIC);
        broker.afterPropertiesSet();
        StringDeserializer text = new StringDeserializer();
        try (Service service = serve(broker.getBrokersAsString());
                KafkaConsumer<String, String> consumer = new KafkaConsumer<>(
                        Map.of("bootstrap.servers", broker.getBrokersAsString(), "auto.offset.reset", "earliest"),
                        text,
                        text)) {
            assertThat(coupon(service, campaign, "anna")).isEqualTo(201);
            consumer.assign(List.of(PARTITION));
            List<ConsumerRecord<String, String>> mine = new ArrayList<>();
            await().atMost(Duration.ofSeconds(30)).until(() -> {
                consumer.poll(Duration.ofMillis(100)).records(PARTITION).stream()
                        .filter(message -> pool.equals(message.key()))
                        .forEach(mine::add);
                return mine.size() >= 2;
            });
            ConsumerRecord<String, String> issued = mine.get(1);
            assertThat(new String(
                            issued.headers().lastHeader(KafkaPublisher.EVENT_ID).value(), StandardCharsets.UTF_8))
                    .isEqualTo(pool + ":1:0:1");
            assertThat(issued.value()).contains("\"kind\":\"ISSUED\"", "\"user\":\"anna\"");
        } finally {
            broker.destroy();
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"127.0.0.1:1", "broker.invalid:9092"})
    void aBrokerThatIsAwayStopsNothing(String brokers) throws Exception {
        long campaign = shop.campaign(5);
        try (Service service = serve(brokers)) {
            assertThat(coupon(service, campaign, "anna")).isEqualTo(201);
        }
    }
}
