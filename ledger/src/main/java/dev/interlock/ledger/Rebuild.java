// SPDX-License-Identifier: Apache-2.0
package dev.interlock.ledger;

import dev.interlock.pool.Outbox;
import dev.interlock.pool.Pool;
import javax.sql.DataSource;

/**
 * Brings a pool back from the ledger after Redis lost it, whole or in part: a crash without persistence, a fail-over that
 * lost writes, FLUSHALL. A {@link Relay} does it by itself unless told otherwise.
 *
 * <p>The pool is sealed, so that callers get {@link dev.interlock.pool.IssueResult.Rebuilding}; what its outbox still has is
 * recorded; the next epoch begins in the database; its claims are written to Redis from a cursor; one script puts them in
 * place of what was there and opens the pool.
 *
 * <p>Guarantees: every recorded unit is kept and stays its user's; never more units than there are; two at once, in whatever
 * processes, make one epoch; one that dies on the way is followed by any other. Does not guarantee units that only the lost
 * memory had: they are sold again, and their numbers are told to {@link LedgerListener#lostClaims}. If a node that had seen
 * nothing of the lost events issued others before the loss was noticed, those get new numbers, or are set aside where the
 * user or the stock does not allow them.
 *
 * <p>Of a pool in several shards each is rebuilt by itself. Units that were under way between shards are kept, once: those
 * that did not arrive come back to the shard that sent them or go to the one that had them. For that it must know of each
 * other shard all that it has, so their relays must run; until they have caught up, or rebuild theirs, it waits.
 *
 * <p>Thread-safe. Memory does not grow with the pool. Cost: O(units held); about 100,000 a second.
 */
public final class Rebuild {
    private final Pool pool;
    private final String name;
    private final DataSource dataSource;
    private final RelayOptions options;
    private final LedgerListener listener;

    private Rebuild(Pool pool, String name, DataSource dataSource, RelayOptions options, LedgerListener listener) {
        this.pool = pool;
        this.name = name;
        this.dataSource = dataSource;
        this.options = options;
        this.listener = listener;
    }

    /**
     * A rebuild that is not started.
     *
     * @param pool which pool, or which shard of one
     * @param name name under which a {@link Relay} records it, the same for all shards
     * @param dataSource the ledger's
     * @param options those of the relay; the timeout bounds each statement
     * @param listener whom to tell
     * @return the rebuild
     */
    public static Rebuild of(
            Pool pool, String name, DataSource dataSource, RelayOptions options, LedgerListener listener) {
        return new Rebuild(pool, name, dataSource, options, listener);
    }

    /**
     * Rebuilds the pool if Redis has less than the ledger, or than this JVM knows of.
     *
     * @return what was done
     * @throws dev.interlock.InterlockException if Redis fails; the pool stays sealed until somebody goes on
     * @throws org.springframework.dao.DataAccessException if the database fails; likewise
     * @throws IllegalStateException if the ledger does not know the pool's terms, because its creation was set aside
     */
    public RebuildResult run() {
        return run(0);
    }

    /**
     * Rebuilds the pool in any case, for example because its keys in Redis are suspected to be wrong. Units that nobody holds
     * come back; what the outbox has is recorded before.
     *
     * @return what was done
     */
    public RebuildResult force() {
        return run(Ledger.of(dataSource)
                .position(name, Ledger.shardOf(pool))
                .map(Ledger.Position::epoch)
                .orElse(0L));
    }

    private RebuildResult run(long endEpoch) {
        try (Outbox outbox = pool.outbox()) {
            Telling telling = new Telling(listener);
            Journal journal = new Journal(dataSource, name, Ledger.shardOf(pool), options);
            Recorder recorder =
                    new Recorder(journal, pool, telling, options.trouble().maxDead());
            try {
                return new Restorer(outbox, journal, recorder, telling).run(endEpoch);
            } finally {
                journal.leaveSeat(); // the relay goes on at once
            }
        }
    }
}
