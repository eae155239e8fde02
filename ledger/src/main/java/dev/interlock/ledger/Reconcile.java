// SPDX-License-Identifier: Apache-2.0
package dev.interlock.ledger;

import dev.interlock.ledger.ReconcileResult.Consistent;
import dev.interlock.ledger.ReconcileResult.Drifted;
import dev.interlock.ledger.ReconcileResult.Fenced;
import dev.interlock.ledger.ReconcileResult.Lagging;
import dev.interlock.ledger.ReconcileResult.Miscounted;
import dev.interlock.ledger.ReconcileResult.NoPool;
import dev.interlock.pool.AdjustResult;
import dev.interlock.pool.Adjustment;
import dev.interlock.pool.Pool;
import dev.interlock.pool.PoolState;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import javax.sql.DataSource;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Compares the units that Redis has left with the ledger, while traffic flows: not at the same time but at the same
 * sequence. Tolerance 0: there is no difference that is "only" traffic.
 *
 * <p>A difference counts when two independent readings show the same one. A repair is an event of the pool, refused by Redis
 * if another repair came first, so any number of checks at once make one. Does not see a unit that changed hands without a
 * change of the number.
 *
 * <p>Thread-safe. Cost of a check: one script call and one sum over the recorded events of the epoch, O(events).
 */
public final class Reconcile {
    /** How often {@link #schedule()} checks. */
    public static final Duration DEFAULT_EVERY = Duration.ofMinutes(5);

    private static final Logger log = LoggerFactory.getLogger(Reconcile.class);
    private static final Duration MIN_EVERY = Duration.ofMillis(100);
    private static final Duration MAX_EVERY = Duration.ofDays(7);
    private static final int MAX_READINGS = 4;
    private static final long POLL_NANOS = TimeUnit.MILLISECONDS.toNanos(20);

    private final Pool pool;
    private final String name;
    private final int shard;
    private final Ledger ledger;
    private final ReconcileOptions options;
    private final Telling telling;

    /** Regular checks that can be ended. */
    public interface Schedule extends AutoCloseable {
        /** Ends the checks; one under way is interrupted. */
        @Override
        void close();
    }

    private Reconcile(
            Pool pool, String name, DataSource dataSource, ReconcileOptions options, LedgerListener listener) {
        this.pool = pool;
        this.name = name;
        this.shard = Ledger.shardOf(pool);
        this.ledger = Ledger.of(dataSource);
        this.options = options;
        this.telling = new Telling(listener);
    }

    /**
     * A check that is not scheduled.
     *
     * @param pool which pool
     * @param name name under which a {@link Relay} records it
     * @param dataSource the ledger's
     * @param options settings
     * @param listener whom to tell
     * @return the check
     */
    public static Reconcile of(
            Pool pool, String name, DataSource dataSource, ReconcileOptions options, LedgerListener listener) {
        return new Reconcile(pool, name, dataSource, options, listener);
    }

    /**
     * Checks now, and repairs what the policy lets it. Do not call it within a transaction of the same data source: it waits
     * for what others commit.
     *
     * @return what it found and did
     * @throws dev.interlock.InterlockException if Redis fails; {@link dev.interlock.OutcomeUnknownException} if a repair
     *     may have been made: check again
     * @throws org.springframework.dao.DataAccessException if the database fails; nothing changed
     */
    public ReconcileResult check() {
        ReconcileResult result = confirmed();
        telling.tell(listener -> listener.reconciled(result));
        return result;
    }

    private ReconcileResult confirmed() {
        ReconcileResult before = compare();
        for (int i = 1; i < MAX_READINGS; i++) {
            if (!(before instanceof Drifted || before instanceof Miscounted)) {
                return before;
            }
            ReconcileResult now = compare();
            if (now instanceof Drifted found && before instanceof Drifted same && found.drift() == same.drift()) {
                return repair(found);
            }
            if (now instanceof Miscounted && before instanceof Miscounted) {
                return now;
            }
            before = now;
        }
        return before; // a difference that does not stand still: told, but no ground for a repair
    }

    private ReconcileResult compare() {
        Optional<PoolState> read = pool.state();
        if (read.isEmpty()) {
            return new NoPool();
        }
        PoolState state = read.get();
        if (state.fenced()) {
            return new Fenced();
        }
        long recorded = awaitRecord(state);
        if (recorded < state.sequence()) {
            return new Lagging(state.sequence(), recorded);
        }
        Ledger.Total total = ledger.total(name, shard, state.epoch(), state.sequence());
        if (total.rows() != state.sequence() - total.first() + 1) {
            return new Miscounted(state.epoch(), state.sequence(), total.rows());
        }
        long drift = state.available() - total.units();
        return drift == 0
                ? new Consistent(state.sequence())
                : new Drifted(state.epoch(), state.sequence(), drift, Optional.empty());
    }

    private long awaitRecord(PoolState state) {
        long start = System.nanoTime();
        while (true) {
            long recorded = ledger.position(name, shard)
                    .filter(at -> at.epoch() == state.epoch())
                    .map(Ledger.Position::sequence)
                    .orElse(-1L);
            boolean late = System.nanoTime() - start > options.maxLag().toNanos();
            if (recorded >= state.sequence() || late || Thread.currentThread().isInterrupted()) {
                return recorded;
            }
            LockSupport.parkNanos(POLL_NANOS);
        }
    }

    private ReconcileResult repair(Drifted found) {
        if (!options.policy().repairs(found.drift())) {
            log.error("pool {} is off by {} units; not repaired, by policy", name, found.drift());
            return found;
        }
        String reason = "reconcile: off by " + found.drift() + " at sequence " + found.sequence();
        AdjustResult result =
                pool.control().adjust(new Adjustment(found.epoch(), found.sequence(), -found.drift(), reason));
        log.error("pool {} was off by {} units; repair: {}", name, found.drift(), result);
        return new Drifted(found.epoch(), found.sequence(), found.drift(), Optional.of(result));
    }

    /**
     * Checks every five minutes.
     *
     * @return the schedule; close it
     */
    public Schedule schedule() {
        return schedule(DEFAULT_EVERY);
    }

    /**
     * Checks regularly, on a thread of its own. A check that fails is logged and the next one comes.
     *
     * @param every time between two checks, 100 ms to 7 days
     * @return the schedule; close it
     * @throws IllegalArgumentException if the time lies outside
     */
    public Schedule schedule(Duration every) {
        RelayOptions.within("every", every, MIN_EVERY, MAX_EVERY);
        ScheduledExecutorService timer = Executors.newSingleThreadScheduledExecutor(work -> {
            Thread thread = new Thread(work, "interlock-reconcile-" + name);
            thread.setDaemon(true);
            return thread;
        });
        timer.scheduleWithFixedDelay(this::checkQuietly, every.toMillis(), every.toMillis(), TimeUnit.MILLISECONDS);
        return timer::shutdownNow;
    }

    private void checkQuietly() {
        try {
            check();
        } catch (RuntimeException e) {
            log.warn("the check of pool {} failed; the next one comes", name, e);
        }
    }
}
