// SPDX-License-Identifier: Apache-2.0
package dev.interlock.ledger;

import java.time.Duration;

/**
 * Settings of a {@link Relay}. Immutable; start from {@link #DEFAULTS}.
 *
 * @param batchEvents most events in one transaction, 1 to 50,000. While the database fails the relay tries smaller ones, so
 *     that a slow database gets on within the timeout
 * @param poll longest wait for a new entry, 10 ms to 10 s; closing may take as long
 * @param lease how long a relay that is silent keeps others away, 1 ms to 1 h. Only saves work: two relays at once are
 *     harmless
 * @param timeout longest time for one SQL statement, 100 ms to 10 min. It bounds the database, not the network: set
 *     {@code socketTimeout} in the JDBC URL to a little more, or a database that hangs is never noticed
 * @param trouble what to do when something fails
 */
public record RelayOptions(int batchEvents, Duration poll, Duration lease, Duration timeout, Trouble trouble) {
    /**
     * What to do when something fails.
     *
     * @param maxBackoff longest wait between two tries while the database fails, 10 ms to 10 min
     * @param maxDead how many events in a row may be set aside, 1 to 1,000,000; when the database refuses one more the relay
     *     fences the pool, alarms and waits until the database takes that event
     * @param rebuild whether to rebuild the pool from the ledger when Redis went back in time; else it stays fenced
     */
    public record Trouble(Duration maxBackoff, int maxDead, boolean rebuild) {
        private static final int MOST_DEAD = 1_000_000;

        /**
         * Checks every setting.
         *
         * @throws IllegalArgumentException if one lies outside its range
         */
        public Trouble {
            within("maxBackoff", maxBackoff, Duration.ofMillis(10), Duration.ofMinutes(10));
            if (maxDead < 1 || maxDead > MOST_DEAD) {
                throw new IllegalArgumentException("maxDead must be from 1 to " + MOST_DEAD + " but is " + maxDead);
            }
        }
    }

    /** 5,000 events, poll 500 ms, lease 10 s, statements 10 s, back-off up to 2 s, 100 dead events in a row, rebuilds. */
    public static final RelayOptions DEFAULTS = new RelayOptions(
            5_000,
            Duration.ofMillis(500),
            Duration.ofSeconds(10),
            Duration.ofSeconds(10),
            new Trouble(Duration.ofSeconds(2), 100, true));

    private static final int MAX_EVENTS = 50_000;

    /**
     * Checks every setting.
     *
     * @throws IllegalArgumentException if one lies outside its range
     */
    public RelayOptions {
        if (batchEvents < 1 || batchEvents > MAX_EVENTS) {
            throw new IllegalArgumentException(
                    "batchEvents must be from 1 to " + MAX_EVENTS + " but is " + batchEvents);
        }
        within("poll", poll, Duration.ofMillis(10), Duration.ofSeconds(10));
        within("lease", lease, Duration.ofMillis(1), Duration.ofHours(1));
        within("timeout", timeout, Duration.ofMillis(100), Duration.ofMinutes(10));
    }

    static void within(String parameter, Duration value, Duration min, Duration max) {
        if (value.compareTo(min) < 0 || value.compareTo(max) > 0) {
            throw new IllegalArgumentException(parameter + " must be from " + min + " to " + max + " but is " + value);
        }
    }

    /**
     * The same with another batch size.
     *
     * @param events 1 to 50,000
     * @return the options
     */
    public RelayOptions withBatchEvents(int events) {
        return new RelayOptions(events, poll, lease, timeout, trouble);
    }

    /**
     * The same with another longest wait for entries.
     *
     * @param wait 10 ms to 10 s
     * @return the options
     */
    public RelayOptions withPoll(Duration wait) {
        return new RelayOptions(batchEvents, wait, lease, timeout, trouble);
    }

    /**
     * The same with another lease.
     *
     * @param time 1 ms to 1 h
     * @return the options
     */
    public RelayOptions withLease(Duration time) {
        return new RelayOptions(batchEvents, poll, time, timeout, trouble);
    }

    /**
     * The same with another longest time for one statement.
     *
     * @param time 100 ms to 10 min
     * @return the options
     */
    public RelayOptions withTimeout(Duration time) {
        return new RelayOptions(batchEvents, poll, lease, time, trouble);
    }

    /**
     * The same with another longest wait between tries.
     *
     * @param wait 10 ms to 10 min
     * @return the options
     */
    public RelayOptions withMaxBackoff(Duration wait) {
        return with(new Trouble(wait, trouble.maxDead(), trouble.rebuild()));
    }

    /**
     * The same with another limit of dead events.
     *
     * @param events how many in a row may be set aside, 1 to 1,000,000
     * @return the options
     */
    public RelayOptions withMaxDead(int events) {
        return with(new Trouble(trouble.maxBackoff(), events, trouble.rebuild()));
    }

    /**
     * The same with or without rebuilding.
     *
     * @param yes whether to rebuild the pool when Redis went back in time
     * @return the options
     */
    public RelayOptions withRebuild(boolean yes) {
        return with(new Trouble(trouble.maxBackoff(), trouble.maxDead(), yes));
    }

    private RelayOptions with(Trouble other) {
        return new RelayOptions(batchEvents, poll, lease, timeout, other);
    }
}
