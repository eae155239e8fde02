// SPDX-License-Identifier: Apache-2.0
package dev.interlock.ledger;

import dev.interlock.ledger.Onward.Event;
import dev.interlock.ledger.Onward.Place;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import javax.sql.DataSource;
import org.apache.kafka.clients.producer.Callback;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerConfig;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.apache.kafka.common.serialization.StringSerializer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Publishes the recorded events of all pools to a Kafka topic: the key is the pool, the value JSON, and the header
 * {@value #EVENT_ID} tells events apart. Needs {@code org.apache.kafka:kafka-clients} on the class path.
 *
 * <p>Guarantees: what is recorded is published at least once, however often processes or brokers die, and nothing that was
 * not committed is; the events of a pool come in their order within its partition, apart from repetitions, which begin at an
 * earlier event and go on from there. Does not guarantee "once": consumers drop ids that they know, or sequences that are
 * not higher than the last of the same pool, epoch and shard.
 *
 * <p>Run one in each process; each pool is published by one of them. The rows of the events are the transactional outbox: they
 * stand in the database by the transaction that moves the relay, and only the place reached is kept, so nothing piles up that
 * would have to be removed. It has a thread of its own and, at times, one connection. Thread-safe; who starts it closes it.
 * Cost: three statements and one flush for a batch.
 */
public final class KafkaPublisher implements AutoCloseable {
    /** Name of the header with the id of the event: pool, epoch, shard and sequence with colons between. */
    public static final String EVENT_ID = "interlock-event-id";

    private static final Logger log = LoggerFactory.getLogger(KafkaPublisher.class);
    private static final long FIRST_BACKOFF_MILLIS = 50;
    private static final Duration CLOSE_LIMIT = Duration.ofSeconds(15);
    private static final Duration PRODUCER_CLOSE_LIMIT = Duration.ofSeconds(5);
    /** Shorter than Kafka's own, so that closing and the alarm do not wait for minutes. */
    private static final Map<String, Object> DEFAULTS = Map.of(
            ProducerConfig.MAX_BLOCK_MS_CONFIG, 5_000,
            ProducerConfig.REQUEST_TIMEOUT_MS_CONFIG, 5_000,
            ProducerConfig.DELIVERY_TIMEOUT_MS_CONFIG, 10_000);

    private final Supplier<Producer<String, String>> producers;
    private volatile Producer<String, String> producer;
    private boolean spent;
    private final String topic;
    private final Onward onward;
    private final PublisherOptions options;
    private final Telling telling;
    private final CountDownLatch stop = new CountDownLatch(1);
    private final Thread thread = new Thread(this::run, "interlock-onward");
    private int failures;

    private KafkaPublisher(
            Supplier<Producer<String, String>> producers,
            String topic,
            Onward onward,
            PublisherOptions options,
            LedgerListener listener) {
        this.producers = producers;
        this.producer = producers.get();
        this.topic = topic;
        this.onward = onward;
        this.options = options;
        this.telling = new Telling(listener);
        this.thread.setDaemon(true);
    }

    /**
     * A publisher that is not started.
     *
     * @param kafka settings of the producer, at least {@code bootstrap.servers}; that it is idempotent and waits for all
     *     replicas is set here
     * @param topic the topic
     * @param dataSource the ledger's
     * @param options settings
     * @param listener told of {@link LedgerListener#published} and {@link LedgerListener#publishingFailed}
     * @return the publisher
     * @throws org.apache.kafka.common.KafkaException if a setting is wrong
     */
    public static KafkaPublisher of(
            Map<String, Object> kafka,
            String topic,
            DataSource dataSource,
            PublisherOptions options,
            LedgerListener listener) {
        Map<String, Object> settings = new HashMap<>(DEFAULTS);
        settings.putAll(kafka);
        settings.put(ProducerConfig.ENABLE_IDEMPOTENCE_CONFIG, true);
        settings.put(ProducerConfig.ACKS_CONFIG, "all");
        settings.put(ProducerConfig.MAX_IN_FLIGHT_REQUESTS_PER_CONNECTION, 1);
        StringSerializer text = new StringSerializer();
        return new KafkaPublisher(
                () -> new KafkaProducer<>(settings, text, text),
                topic,
                new Onward(dataSource, options),
                options,
                listener);
    }

    /**
     * Starts the thread. Neither Kafka nor the database need be there yet.
     *
     * @throws IllegalThreadStateException if it was started before
     */
    public void start() {
        thread.start();
    }

    /** Ends the work: finishes the batch in flight. Waits for that, 15 s at most. The next publisher goes on. */
    @Override
    public void close() {
        stop.countDown();
        try {
            thread.join(CLOSE_LIMIT.toMillis());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        thread.interrupt();
        producer.close(PRODUCER_CLOSE_LIMIT);
    }

    private void run() {
        try {
            while (!pause(attempt())) {
                // Each attempt says how long to wait.
            }
            onward.leave();
        } catch (RuntimeException e) {
            log.debug("the lease of a publisher was not given away; it ends by itself", e);
        }
    }

    /** Publishes what there is, and never throws; returns how long to wait, in milliseconds. */
    private long attempt() {
        try {
            if (spent) {
                producer = producers.get();
                spent = false;
            }
            int published = 0;
            for (Place from : onward.behind()) {
                published += publish(from);
            }
            if (failures > 0) {
                failures = 0;
                log.info("events are published again");
            }
            return published > 0 ? 0 : options.poll().toMillis();
        } catch (RuntimeException e) {
            return failed(e);
        }
    }

    private int publish(Place from) {
        List<Event> events = onward.claim(from, options.batchEvents());
        if (events.isEmpty()) {
            return 0;
        }
        // What comes after a lost event must not overtake its repetition: with one request on its way, nothing does.
        Producer<String, String> current = producer;
        Callback stopAtFailure = (place, error) -> {
            if (error != null) {
                current.close(Duration.ZERO);
            }
        };
        List<Future<RecordMetadata>> sent = new ArrayList<>(events.size());
        for (Event event : events) {
            ProducerRecord<String, String> message = new ProducerRecord<>(topic, from.pool(), event.json());
            message.headers().add(EVENT_ID, event.id().getBytes(StandardCharsets.UTF_8));
            sent.add(producer.send(message, stopAtFailure));
        }
        producer.flush();
        sent.forEach(KafkaPublisher::acknowledged);
        if (onward.mark(from, events.get(events.size() - 1).place())) {
            telling.tell(listener -> listener.published(from.pool(), events.size()));
        }
        return events.size();
    }

    private static void acknowledged(Future<RecordMetadata> sent) {
        try {
            sent.get();
        } catch (ExecutionException e) {
            throw new IllegalStateException("Kafka did not take an event", e.getCause());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("closed before Kafka had answered", e);
        }
    }

    private long failed(RuntimeException e) {
        failures++;
        spent = true;
        producer.close(Duration.ZERO);
        if (failures == 1) {
            log.error("events are not published; trying again until they are", e);
            telling.tell(listener -> listener.publishingFailed(e));
        }
        long backoff = Math.min(
                FIRST_BACKOFF_MILLIS << Math.min(failures, 20),
                options.maxBackoff().toMillis());
        return ThreadLocalRandom.current().nextLong(backoff / 2 + 1, backoff + 2);
    }

    /** Waits; true if the publisher is to stop. */
    private boolean pause(long millis) {
        try {
            return stop.await(millis, TimeUnit.MILLISECONDS);
        } catch (InterruptedException e) {
            return true;
        }
    }
}
