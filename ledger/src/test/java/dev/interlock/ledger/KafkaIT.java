// SPDX-License-Identifier: Apache-2.0
package dev.interlock.ledger;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.StringDeserializer;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.springframework.kafka.test.EmbeddedKafkaBroker;
import org.springframework.kafka.test.EmbeddedKafkaKraftBroker;

/** Events go onward to a real broker: at least once, in order, whatever dies. */
class KafkaIT {
    private static final String TOPIC = "pool-events";
    private static final PublisherOptions QUICK =
            PublisherOptions.DEFAULTS.withPoll(Duration.ofMillis(20)).withLease(Duration.ofMillis(300));

    @RegisterExtension
    static final SharedServers SERVERS = new SharedServers();

    private static EmbeddedKafkaBroker broker;
    private final Sale sale = SERVERS.get().sale();
    private final Listener listener = new Listener();

    @BeforeAll
    static void start() {
        broker = new EmbeddedKafkaKraftBroker(1, 2, TOPIC);
        broker.afterPropertiesSet();
    }

    @AfterAll
    static void stop() {
        broker.destroy();
    }

    @AfterEach
    void close() {
        sale.close();
    }

    private static final class Listener implements LedgerListener {
        final AtomicInteger published = new AtomicInteger();
        final AtomicInteger failures = new AtomicInteger();

        @Override
        public void published(String pool, int events) {
            published.addAndGet(events);
        }

        @Override
        public void publishingFailed(Throwable error) {
            failures.incrementAndGet();
        }
    }

    private KafkaPublisher publisher() {
        return KafkaPublisher.of(
                Map.of(
                        "bootstrap.servers",
                        broker.getBrokersAsString(),
                        "delivery.timeout.ms",
                        2_000,
                        "request.timeout.ms",
                        1_000,
                        "linger.ms",
                        0,
                        "max.block.ms",
                        1_000),
                TOPIC,
                sale.database,
                QUICK,
                listener);
    }

    private void awaitPublished() {
        await().atMost(Duration.ofSeconds(30))
                .untilAsserted(() -> assertThat(sale.sql
                                .sql(
                                        "SELECT count(*) FROM interlock_position p JOIN interlock_onward o USING (pool, shard)"
                                                + " WHERE p.pool = :pool AND (p.epoch, p.seq) = (o.epoch, o.seq)")
                                .param("pool", sale.name)
                                .query(Long.class)
                                .single())
                        .isOne());
    }

    /** All messages of this pool, in the order of its partition. */
    private List<ConsumerRecord<String, String>> messages() {
        List<ConsumerRecord<String, String>> mine = new ArrayList<>();
        StringDeserializer text = new StringDeserializer();
        try (KafkaConsumer<String, String> consumer =
                new KafkaConsumer<>(Map.of("bootstrap.servers", broker.getBrokersAsString()), text, text)) {
            List<TopicPartition> all = consumer.partitionsFor(TOPIC).stream()
                    .map(part -> new TopicPartition(TOPIC, part.partition()))
                    .toList();
            consumer.assign(all);
            consumer.seekToBeginning(all);
            Map<TopicPartition, Long> ends = consumer.endOffsets(all);
            while (all.stream().anyMatch(part -> consumer.position(part) < ends.get(part))) {
                consumer.poll(Duration.ofMillis(200)).forEach(message -> {
                    if (message.key().equals(sale.name)) {
                        mine.add(message);
                    }
                });
            }
        }
        return mine;
    }

    private static String id(ConsumerRecord<String, String> message) {
        return new String(message.headers().lastHeader(KafkaPublisher.EVENT_ID).value(), StandardCharsets.UTF_8);
    }

    /** Each event at least once, in order but for repetitions, all in one partition. */
    private int assertComplete(long events) {
        List<ConsumerRecord<String, String>> messages = messages();
        Set<String> ids = new HashSet<>();
        long next = 0;
        for (ConsumerRecord<String, String> message : messages) {
            long sequence = Long.parseLong(id(message).substring((sale.name + ":1:0:").length()));
            assertThat(sequence).as("no gap, except back to a repetition").isLessThanOrEqualTo(next);
            next = Math.max(next, sequence + 1);
            ids.add(id(message));
        }
        assertThat(ids).hasSize((int) events);
        assertThat(messages.stream().map(ConsumerRecord::partition).distinct()).hasSize(1);
        return messages.size() - ids.size();
    }

    /** Calls a method of each broker; by name, because the compiler warns of the class files of Scala. */
    private static void each(String method) throws ReflectiveOperationException {
        Object cluster = broker.getClass().getMethod("getCluster").invoke(broker);
        Map<?, ?> brokers = (Map<?, ?>) cluster.getClass().getMethod("brokers").invoke(cluster);
        for (Object one : brokers.values()) {
            one.getClass().getMethod(method).invoke(one);
        }
    }

    @Test
    void publishesEachEventInOrderWithItsIdAndContent() {
        sale.of(1_000).relay(Sale.QUICK);
        String user = "q\"uote\\ \u00e9\ud83d\ude00";
        sale.pool.issue(user, "request-1");
        sale.pool.control().revoke(user, 1, "wrong");
        sale.issue(300);
        try (KafkaPublisher publisher = publisher()) {
            publisher.start();
            sale.awaitRecorded();
            awaitPublished();
            sale.issue(200);
            sale.awaitRecorded();
            awaitPublished();
        }
        assertThat(assertComplete(503)).as("none twice when nothing fails").isZero();
        ConsumerRecord<String, String> issued = messages().get(1);
        assertThat(id(issued)).isEqualTo(sale.name + ":1:0:1");
        assertThat(issued.value())
                .contains("\"pool\":\"" + sale.name + "\"")
                .contains("\"kind\":\"ISSUED\"")
                .contains("\"user\":\"q\\\"uote\\\\ \u00e9\ud83d\ude00\"")
                .contains("\"request\":\"request-1\"")
                .contains("\"delta\":-1")
                .doesNotContain("null");
        assertThat(listener.published).hasValueGreaterThanOrEqualTo(503);
        assertThat(listener.failures).hasValue(0);
    }

    @Test
    void publishesAgainWhatWasSentAndNotNoted() {
        sale.of(1_000).relay(Sale.QUICK);
        sale.issue(50);
        sale.awaitRecorded();
        try (KafkaPublisher publisher = publisher()) {
            publisher.start();
            awaitPublished();
        }
        // As if the process had been killed between the sending and the note.
        sale.sql
                .sql("UPDATE interlock_onward SET seq = 20 WHERE pool = :pool")
                .param("pool", sale.name)
                .update();
        try (KafkaPublisher publisher = publisher()) {
            publisher.start();
            awaitPublished();
        }
        assertThat(assertComplete(51)).isEqualTo(30);
    }

    @Test
    void twoPublishersShareTheWorkAndNothingIsMissed() {
        sale.of(10_000).relay(Sale.QUICK);
        try (KafkaPublisher one = publisher();
                KafkaPublisher two = publisher()) {
            one.start();
            two.start();
            for (int i = 0; i < 10; i++) {
                sale.issue(100);
            }
            sale.awaitRecorded();
            awaitPublished();
        }
        assertComplete(1_001);
    }

    @Test
    void losesNothingWhenTheBrokerStopsAndStartsUnderLoad() throws Exception {
        sale.of(100_000).relay(Sale.QUICK);
        try (KafkaPublisher publisher = publisher()) {
            publisher.start();
            sale.issue(200);
            await().atMost(Duration.ofSeconds(20)).until(() -> listener.published.get() > 100);
            each("shutdown");
            each("awaitShutdown");
            for (int i = 0; i < 10; i++) {
                sale.issue(50);
            }
            await().atMost(Duration.ofSeconds(20)).until(() -> listener.failures.get() > 0);
            each("startup");
            sale.issue(50);
            sale.awaitRecorded();
            awaitPublished();
        }
        assertThat(listener.failures).as("one alarm").hasValue(1);
        assertComplete(751);
    }
}
