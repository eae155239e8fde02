// SPDX-License-Identifier: Apache-2.0
package dev.interlock.ledger;

import java.time.Duration;

/**
 * Settings of a {@link KafkaPublisher}. Immutable; start from {@link #DEFAULTS}.
 *
 * @param batchEvents most events between two notes of what was published, 1 to 50,000; so many may come again after a crash
 * @param poll time between two looks for new events, 10 ms to 10 s
 * @param lease how long a publisher that is silent keeps others away, 1 ms to 1 h; only saves repetition
 * @param timeout longest time for one SQL statement, 100 ms to 10 min
 * @param maxBackoff longest wait between two tries while Kafka or the database fails, 10 ms to 10 min
 */
public record PublisherOptions(int batchEvents, Duration poll, Duration lease, Duration timeout, Duration maxBackoff) {
    /** 500 events, poll 200 ms, lease 10 s, statements 10 s, back-off up to 5 s. */
    public static final PublisherOptions DEFAULTS = new PublisherOptions(
            500, Duration.ofMillis(200), Duration.ofSeconds(10), Duration.ofSeconds(10), Duration.ofSeconds(5));

    private static final int MAX_EVENTS = 50_000;

    /**
     * Checks every setting.
     *
     * @throws IllegalArgumentException if one lies outside its range
     */
    public PublisherOptions {
        if (batchEvents < 1 || batchEvents > MAX_EVENTS) {
            throw new IllegalArgumentException(
                    "batchEvents must be from 1 to " + MAX_EVENTS + " but is " + batchEvents);
        }
        RelayOptions.within("poll", poll, Duration.ofMillis(10), Duration.ofSeconds(10));
        RelayOptions.within("lease", lease, Duration.ofMillis(1), Duration.ofHours(1));
        RelayOptions.within("timeout", timeout, Duration.ofMillis(100), Duration.ofMinutes(10));
        RelayOptions.within("maxBackoff", maxBackoff, Duration.ofMillis(10), Duration.ofMinutes(10));
    }

    /**
     * The same with another batch size.
     *
     * @param events 1 to 50,000
     * @return the options
     */
    public PublisherOptions withBatchEvents(int events) {
        return new PublisherOptions(events, poll, lease, timeout, maxBackoff);
    }

    /**
     * The same with another time between two looks.
     *
     * @param time 10 ms to 10 s
     * @return the options
     */
    public PublisherOptions withPoll(Duration time) {
        return new PublisherOptions(batchEvents, time, lease, timeout, maxBackoff);
    }

    /**
     * The same with another lease.
     *
     * @param time 1 ms to 1 h
     * @return the options
     */
    public PublisherOptions withLease(Duration time) {
        return new PublisherOptions(batchEvents, poll, time, timeout, maxBackoff);
    }
}
