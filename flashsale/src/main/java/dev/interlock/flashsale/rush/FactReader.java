// SPDX-License-Identifier: Apache-2.0
package dev.interlock.flashsale.rush;

import dev.interlock.Interlock;
import dev.interlock.flashsale.console.FailedException;
import dev.interlock.ledger.Ledger;
import dev.interlock.ledger.LedgerListener;
import dev.interlock.ledger.Reconcile;
import dev.interlock.ledger.ReconcileOptions;
import dev.interlock.ledger.ReconcileResult;
import dev.interlock.ledger.RepairPolicy;
import dev.interlock.pool.Outbox;
import dev.interlock.pool.OutboxEntry;
import dev.interlock.pool.Pool;
import dev.interlock.pool.PoolConfig;
import dev.interlock.pool.PoolState;
import dev.interlock.script.Reply;
import dev.interlock.script.Script;
import dev.interlock.script.ScriptArgs;
import dev.interlock.script.ScriptKeys;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.locks.LockSupport;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;
import org.springframework.jdbc.core.simple.JdbcClient;

/** Reads what Redis and the database hold of one pool. */
final class FactReader {
    private static final Duration CATCH_UP_LIMIT = Duration.ofSeconds(60);
    private static final long POLL_NANOS = 5_000_000;
    private static final int PAGE = 50_000;
    private static final Script<String> VERSION =
            Script.fromClasspath("dev/interlock/flashsale/version.lua", Reply.string());

    private final Interlock interlock;
    private final String name;
    private final Pool pool;
    private final DataSource dataSource;
    private final Ledger ledger;
    private final JdbcClient jdbc;

    FactReader(Interlock interlock, String name, DataSource dataSource) {
        this.interlock = interlock;
        this.name = name;
        this.pool = interlock.pool(name);
        this.dataSource = dataSource;
        this.ledger = Ledger.of(dataSource);
        this.jdbc = JdbcClient.create(dataSource);
    }

    /** Waits until the database has every event of the pool, at most a minute: the verdict tells if it has not. */
    void awaitRecorded() {
        long deadline = System.nanoTime() + CATCH_UP_LIMIT.toNanos();
        while (position().sequence() < state().sequence() && System.nanoTime() < deadline) {
            LockSupport.parkNanos(POLL_NANOS);
        }
    }

    private PoolState state() {
        return pool.state().orElseThrow(() -> new FailedException("the pool " + name + " is gone from Redis", null));
    }

    private Ledger.Position position() {
        return ledger.position(name)
                .orElseGet(() -> new Ledger.Position(PoolConfig.FIRST_EPOCH, -1, Outbox.START, false));
    }

    Facts read(Workload workload, Outcome told) {
        PoolState state = state();
        Facts.InRedis redis = new Facts.InRedis(
                state.sequence(),
                state.available(),
                state.users(),
                pending(),
                interlock.scripts().run(VERSION, ScriptKeys.keys(name), ScriptArgs.args()));
        Facts.InDatabase database = new Facts.InDatabase(
                ledger.recordedUnits(name),
                ledger.duplicateUsers(name, PoolConfig.DEFAULT_LIMIT_PER_USER),
                events(),
                ledger.deadEvents(name, PAGE).size(),
                drift());
        return new Facts(workload, told.tally(), redis, database, promises(told.claims()));
    }

    private long pending() {
        long events = 0;
        String after = position().streamId();
        try (Outbox outbox = pool.outbox()) {
            List<OutboxEntry> entries = outbox.read(after, 1_000, Duration.ZERO);
            while (!entries.isEmpty()) {
                // An entry that cannot be read is pending too.
                events += entries.stream()
                        .mapToInt(entry -> Math.max(1, entry.events().size()))
                        .sum();
                entries = outbox.read(entries.get(entries.size() - 1).id(), 1_000, Duration.ZERO);
            }
        }
        return events;
    }

    private Facts.Events events() {
        return jdbc.sql(
                        "SELECT count(*) AS events, coalesce(max(seq), -1) AS last FROM interlock_event WHERE pool = :pool")
                .param("pool", name)
                .query((row, index) -> new Facts.Events(row.getLong("events"), row.getLong("last")))
                .single();
    }

    private @Nullable Long drift() {
        // It must not repair what it is to find.
        ReconcileOptions options = ReconcileOptions.DEFAULTS.withPolicy(RepairPolicy.ALARM_ONLY);
        ReconcileResult result = Reconcile.of(pool, name, dataSource, options, new LedgerListener() {})
                .check();
        if (result instanceof ReconcileResult.Drifted drifted) {
            return drifted.drift();
        }
        return result instanceof ReconcileResult.Consistent ? Long.valueOf(0) : null;
    }

    private record Row(long sequence, String user) {}

    /** Reads every row, a page at a time. */
    private Facts.Promises promises(Claims claims) {
        long kept = 0;
        List<Row> rows = page(-1);
        while (!rows.isEmpty()) {
            for (Row row : rows) {
                int user = claims.user(row.sequence());
                if (user != 0 && Workload.userId(user).equals(row.user())) {
                    kept++;
                }
            }
            rows = page(rows.get(rows.size() - 1).sequence());
        }
        return new Facts.Promises(claims.count(), kept, claims.conflicts());
    }

    private List<Row> page(long after) {
        return jdbc.sql("SELECT seq, user_id FROM interlock_event WHERE pool = :pool AND epoch = :epoch AND shard = 0"
                        + " AND seq > :after AND kind = 'ISSUED' ORDER BY seq LIMIT " + PAGE)
                .param("pool", name)
                .param("epoch", PoolConfig.FIRST_EPOCH)
                .param("after", after)
                .query((row, index) -> new Row(row.getLong(1), row.getString(2)))
                .list();
    }
}
