// SPDX-License-Identifier: Apache-2.0
package dev.interlock.flashsale.serve.recording;

import dev.interlock.Interlock;
import dev.interlock.ledger.Ledger;
import dev.interlock.ledger.LedgerListener;
import dev.interlock.ledger.Reconcile;
import dev.interlock.ledger.ReconcileOptions;
import dev.interlock.ledger.ReconcileResult;
import dev.interlock.ledger.Relay;
import dev.interlock.ledger.RelayOptions;
import dev.interlock.ledger.RelayStatus;
import dev.interlock.pool.Pool;
import java.time.Duration;
import java.time.Instant;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/** One pool with its relay and its checks. Thread-safe. */
public final class RecordedPool implements AutoCloseable {
    private static final RelayOptions OPTIONS = RelayOptions.DEFAULTS.withPoll(Duration.ofMillis(100));

    private final String name;
    private final Relay relay;
    private final Reconcile reconcile;
    private volatile @Nullable Checked checked;

    /**
     * A check that has ended.
     *
     * @param result what it found
     * @param at when
     */
    public record Checked(ReconcileResult result, Instant at) {
        /**
         * Units that Redis has more than the database.
         *
         * @return the number, or null if nothing was compared
         */
        public @Nullable Long drift() {
            if (result instanceof ReconcileResult.Drifted drifted) {
                return drifted.drift();
            }
            return result instanceof ReconcileResult.Consistent ? Long.valueOf(0) : null;
        }
    }

    private RecordedPool(String name, Relay relay, Reconcile reconcile) {
        this.name = name;
        this.relay = relay;
        this.reconcile = reconcile;
    }

    static RecordedPool start(Interlock interlock, String name, DataSource source, LedgerListener listener) {
        Pool pool = interlock.pool(name);
        Ledger.of(source).remind(pool, name);
        Relay relay = Relay.of(pool, name, source, OPTIONS, listener);
        Reconcile reconcile = Reconcile.of(pool, name, source, ReconcileOptions.DEFAULTS, listener);
        relay.start();
        return new RecordedPool(name, relay, reconcile);
    }

    /**
     * Which pool.
     *
     * @return its name
     */
    public String name() {
        return name;
    }

    /**
     * How its relay is doing.
     *
     * @return the status, without asking anyone
     */
    public RelayStatus status() {
        return relay.status();
    }

    /**
     * The last check.
     *
     * @return the check, or null before the first
     */
    public @Nullable Checked checked() {
        return checked;
    }

    ReconcileResult check() {
        ReconcileResult result = reconcile.check();
        checked = new Checked(result, Instant.now());
        return result;
    }

    @Override
    public void close() {
        relay.close();
    }
}
