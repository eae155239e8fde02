// SPDX-License-Identifier: Apache-2.0
package dev.interlock.ledger;

import dev.interlock.ledger.Ledger.Position;
import dev.interlock.ledger.RelayStatus.State;
import dev.interlock.pool.Outbox;
import dev.interlock.pool.Pool;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Records the events of one pool in the database, in the order of their sequence.
 *
 * <p>Guarantees: every event of the pool becomes one row, none twice, none skipped, whatever crashes and however many relays
 * run: the position moves by compare-and-set in the transaction that inserts, and the outbox is trimmed only after the
 * commit. An event that the database refuses is set aside and its unit goes back to the pool once. While the database is
 * away nothing is lost; the outbox grows, see {@link #status()}. When Redis lost what is recorded, the pool is rebuilt as by
 * {@link Rebuild}. Does not guarantee that events survive the loss of Redis' memory before they are recorded.
 *
 * <p>Run one in each process that uses the pool: one works, the others stand by. It has a thread of its own, a connection
 * to Redis and, at times, one of the data source's; give it a data source apart from that of the requests. Thread-safe; who
 * starts it closes it. Cost: one transaction for a batch, about three commands to Redis.
 */
public final class Relay implements AutoCloseable {
    private static final Logger log = LoggerFactory.getLogger(Relay.class);
    private static final long FIRST_BACKOFF_MILLIS = 20;
    private static final int TRIES_AT_ONCE = 5;
    private static final Duration CLOSE_LIMIT = Duration.ofSeconds(15);

    private final Pool pool;
    private final String name;
    private final RelayOptions options;
    private final Telling telling;
    private final Journal journal;
    private final CountDownLatch stop = new CountDownLatch(1);
    private final Thread thread;

    private volatile RelayStatus status = new RelayStatus(State.STOPPED, -1, 0);
    private @Nullable Outbox outbox;
    private @Nullable Recording recording;
    private int failures;
    private boolean databaseDown;

    private Relay(Pool pool, String name, DataSource dataSource, RelayOptions options, LedgerListener listener) {
        this.pool = pool;
        this.name = name;
        this.options = options;
        this.telling = new Telling(listener);
        this.journal = new Journal(dataSource, name, Ledger.shardOf(pool), options);
        this.thread = new Thread(this::run, "interlock-relay-" + name);
        this.thread.setDaemon(true);
    }

    /**
     * A relay that is not started.
     *
     * @param pool whose events
     * @param name name of that pool, under which they are recorded; the same for all its shards
     * @param dataSource where {@link LedgerSchema#migrate} was run; its connections need a {@code socketTimeout}
     * @param options settings
     * @param listener whom to tell
     * @return the relay
     */
    public static Relay of(
            Pool pool, String name, DataSource dataSource, RelayOptions options, LedgerListener listener) {
        return new Relay(pool, name, dataSource, options, listener);
    }

    /**
     * Starts the thread. Neither Redis nor the database need be there yet.
     *
     * @throws IllegalThreadStateException if it was started before
     */
    public void start() {
        thread.start();
    }

    /**
     * How it is doing.
     *
     * @return the status, without asking anyone
     */
    public RelayStatus status() {
        return status;
    }

    /**
     * Ends the work: finishes the batch in flight and gives the lease away. Waits for that, 15 s at most; then the thread is
     * interrupted. What was not recorded is recorded by the next relay.
     */
    @Override
    public void close() {
        stop.countDown();
        try {
            thread.join(CLOSE_LIMIT.toMillis());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        thread.interrupt();
    }

    private void run() {
        try {
            boolean going = true;
            while (going) {
                going = !pause(attempt());
            }
            journal.leaveSeat();
        } catch (RuntimeException e) {
            log.debug("the lease of relay {} was not given away; it ends by itself", name, e);
        } finally {
            closeOutbox();
            status = new RelayStatus(State.STOPPED, status.recorded(), status.lag());
        }
    }

    /** One step that never throws; returns how long to wait, in milliseconds. */
    private long attempt() {
        try {
            State state = recording().step();
            report(state);
            failures = 0;
            if (databaseDown) {
                databaseDown = false;
                log.info("the database records {} again", name);
                telling.tell(LedgerListener::databaseUp);
            }
            return state == State.RECORDING ? 0 : jittered(options.poll().toMillis());
        } catch (RuntimeException e) {
            return failed(e);
        }
    }

    private long failed(RuntimeException e) {
        failures++;
        boolean database = SqlFailure.cause(e) != null;
        if (database && SqlFailure.of(e) == SqlFailure.CONTENTION && failures <= TRIES_AT_ONCE) {
            return 0;
        }
        if (database && !databaseDown) {
            databaseDown = true;
            log.error("the database does not record {}; trying again until it does", name, e);
            telling.tell(listener -> listener.databaseDown(e));
        } else if (!database && failures == 1) {
            log.warn("relay {} failed; trying again", name, e);
        }
        status = new RelayStatus(State.RETRYING, status.recorded(), lagNow());
        long backoff = FIRST_BACKOFF_MILLIS << Math.min(failures, 20);
        return jittered(Math.min(backoff, options.trouble().maxBackoff().toMillis()));
    }

    /** The lag grows while the database is away, and back-pressure depends on it. */
    private long lagNow() {
        Recording current = recording;
        try {
            return current == null ? status.lag() : current.measureLag(status.recorded());
        } catch (RuntimeException e) {
            return status.lag();
        }
    }

    private Recording recording() {
        Recording current = recording;
        if (current == null) {
            Outbox opened = pool.outbox();
            outbox = opened;
            current = new Recording(pool, opened, journal, options, telling);
            recording = current;
        }
        return current;
    }

    private void report(State state) {
        Recording current = recording();
        Position at = current.at();
        status = new RelayStatus(state, at == null ? status.recorded() : at.sequence(), current.lag());
    }

    /** Waits; true if the relay is to stop. */
    private boolean pause(long millis) {
        try {
            return stop.await(millis, TimeUnit.MILLISECONDS);
        } catch (InterruptedException e) {
            return true;
        }
    }

    private static long jittered(long millis) {
        return ThreadLocalRandom.current().nextLong(millis / 2 + 1, millis + 2);
    }

    private void closeOutbox() {
        Recording current = recording;
        if (current != null) {
            current.close();
        }
        Outbox open = outbox;
        if (open != null) {
            try {
                open.close();
            } catch (RuntimeException e) {
                log.debug("the outbox of relay {} did not close", name, e);
            }
        }
    }
}
