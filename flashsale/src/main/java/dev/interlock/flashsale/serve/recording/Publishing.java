// SPDX-License-Identifier: Apache-2.0
package dev.interlock.flashsale.serve.recording;

import com.zaxxer.hikari.HikariDataSource;
import dev.interlock.flashsale.serve.FlashSaleSettings;
import dev.interlock.ledger.KafkaPublisher;
import dev.interlock.ledger.PublisherOptions;
import java.util.Map;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import org.apache.kafka.common.KafkaException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.beans.factory.annotation.Qualifier;
import org.springframework.boot.autoconfigure.condition.ConditionalOnProperty;
import org.springframework.context.SmartLifecycle;
import org.springframework.stereotype.Component;

/**
 * Publishes what is recorded to Kafka, if brokers are given. Neither a broker that is away nor a name of it that nobody knows
 * yet keeps the service from issuing: the events wait in the database. Thread-safe.
 */
@Component
@ConditionalOnProperty("flashsale.kafka.brokers")
final class Publishing implements SmartLifecycle {
    private static final Logger log = LoggerFactory.getLogger(Publishing.class);
    private static final long RETRY_SECONDS = 5;

    private final HikariDataSource source;
    private final FlashSaleSettings.Kafka kafka;
    private final RecordingMeters meters;
    private @Nullable ScheduledExecutorService starter;
    private @Nullable KafkaPublisher publisher;
    private boolean warned;

    Publishing(
            @Qualifier("relayConnections") HikariDataSource source,
            FlashSaleSettings settings,
            RecordingMeters meters) {
        this.source = source;
        this.kafka = settings.kafka();
        this.meters = meters;
    }

    /** Not at once: the client of Kafka takes its time, and may wait for a name server. */
    @Override
    public synchronized void start() {
        ScheduledExecutorService executor = Executors.newSingleThreadScheduledExecutor(task -> {
            Thread thread = new Thread(task, "flashsale-publishing");
            thread.setDaemon(true);
            return thread;
        });
        starter = executor;
        executor.scheduleWithFixedDelay(this::tryToPublish, 0, RETRY_SECONDS, TimeUnit.SECONDS);
    }

    private void tryToPublish() {
        try {
            KafkaPublisher made = KafkaPublisher.of(
                    Map.of("bootstrap.servers", String.valueOf(kafka.brokers())),
                    kafka.topic(),
                    source,
                    PublisherOptions.DEFAULTS,
                    meters.listener());
            began(made);
        } catch (KafkaException e) {
            if (!warned) {
                warned = true;
                Throwable reason = e.getCause() == null ? e : e.getCause();
                log.warn("events are not published yet; trying again until they are: {}", reason.getMessage());
            }
        }
    }

    private synchronized void began(KafkaPublisher made) {
        ScheduledExecutorService executor = starter;
        if (executor == null) {
            made.close(); // stopped meanwhile
            return;
        }
        executor.shutdown();
        publisher = made;
        made.start();
    }

    /** Finishes the batch in flight; what is not published waits in the database for the next start. */
    @Override
    public void stop() {
        KafkaPublisher running;
        synchronized (this) {
            if (starter != null) {
                starter.shutdown();
            }
            starter = null;
            running = publisher;
            publisher = null;
        }
        if (running != null) {
            running.close();
        }
    }

    /** After the web server when stopping. */
    @Override
    public int getPhase() {
        return 0;
    }

    @Override
    public synchronized boolean isRunning() {
        return starter != null;
    }
}
