// SPDX-License-Identifier: Apache-2.0
package dev.interlock.ledger;

import dev.interlock.ledger.Ledger.Position;
import dev.interlock.pool.PoolEvent;
import dev.interlock.pool.PoolEvent.Claim;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import javax.sql.DataSource;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.core.simple.JdbcClient;

/** What a rebuild reads and writes in the database. Each method is one transaction, with the limits of the journal. */
final class EpochJournal {
    private static final int FETCH = 2_000;
    private static final String THIS_EPOCH = " WHERE pool = :pool AND shard = :shard AND epoch = :epoch";
    private static final String UNITS_OF =
            "SELECT user_id, request_id, nth, seq FROM interlock_event WHERE pool = :pool AND shard = :shard"
                    + " AND kind = 'ISSUED'";

    private final Journal journal;
    private final JdbcTemplate template;
    private final JdbcClient jdbc;
    private final EventRows rows;
    private final String pool;
    private final int shard;

    /**
     * An epoch that a rebuild began.
     *
     * @param epoch the epoch
     * @param before the epoch before it
     * @param first sequence of the event that created it
     * @param recorded latest event of the epoch before that is in the ledger
     * @param seen latest event of the epoch before that anybody knew of
     * @param opened whether Redis was, or is just being, switched over
     */
    record Begun(long epoch, long before, long first, long recorded, long seen, boolean opened) {}

    /** What a user has: units by their number, and all requests that ever got one. */
    record Holdings(Map<Integer, Long> units, Map<String, Long> requests) {
        Holdings() {
            this(new HashMap<>(), new HashMap<>());
        }
    }

    EpochJournal(Journal journal, DataSource dataSource, String pool, int shard) {
        this.journal = journal;
        this.template = new JdbcTemplate(dataSource);
        this.template.setFetchSize(FETCH);
        this.jdbc = JdbcClient.create(this.template);
        this.rows = new EventRows(jdbc, pool, shard);
        this.pool = pool;
        this.shard = shard;
    }

    private JdbcClient.StatementSpec statement(String sql, long epoch) {
        return jdbc.sql(sql).param("pool", pool).param("shard", shard).param("epoch", epoch);
    }

    Optional<Begun> find(long epoch) {
        return journal.inTransaction(() -> statement(
                        "SELECT epoch, before, first_seq, recorded, seen, opened_at FROM interlock_epoch" + THIS_EPOCH,
                        epoch)
                .query((row, index) -> new Begun(
                        row.getLong("epoch"),
                        row.getLong("before"),
                        row.getLong("first_seq"),
                        row.getLong("recorded"),
                        row.getLong("seen"),
                        row.getObject("opened_at") != null))
                .optional());
    }

    /** Units of dead events of an epoch that did not go back to it; the next epoch begins with them. */
    long owed(long epoch) {
        return journal.inTransaction(() -> statement(
                        "SELECT count(*) FROM interlock_dead_event d" + THIS_EPOCH + " AND NOT unit_returned"
                                + " AND NOT EXISTS (SELECT 1 FROM interlock_event r WHERE r.pool = d.pool"
                                + " AND r.epoch = d.epoch AND r.shard = d.shard AND r.kind = 'REVOKED'"
                                + " AND r.issue_seq = d.seq)",
                        epoch)
                .query(Long.class)
                .single());
    }

    /** Begins an epoch: the position moves into it, and its creation is recorded. */
    Position begin(Position from, Begun next, PoolEvent created) {
        Position to = new Position(next.epoch(), next.first(), from.streamId(), false);
        journal.inTransaction(() -> {
            journal.advance(from, to);
            statement(
                            "INSERT INTO interlock_epoch (pool, shard, epoch, before, first_seq, recorded, seen)"
                                    + " VALUES (:pool, :shard, :epoch, :before, :first, :recorded, :seen)",
                            next.epoch())
                    .param("before", next.before())
                    .param("first", next.first())
                    .param("recorded", next.recorded())
                    .param("seen", next.seen())
                    .update();
            statement(
                            "UPDATE interlock_dead_event SET unit_returned = true" + THIS_EPOCH
                                    + " AND NOT unit_returned",
                            next.before())
                    .update();
            rows.insert(List.of(new Line(created, null)));
            return null;
        });
        return to;
    }

    /** Records events that were carried over from the epoch before, and those that could not be. */
    Position carry(Position at, List<Line> kept, List<DeadEvent> dropped, String throughId) {
        Position to = new Position(at.epoch(), at.sequence() + kept.size(), throughId, false);
        journal.inTransaction(() -> {
            journal.advance(at, to);
            if (!kept.isEmpty()) {
                rows.insert(kept);
            }
            dropped.forEach(dead -> rows.insertUnreadable(at.epoch(), throughId, dead));
            return null;
        });
        return to;
    }

    /** Says that Redis is about to be switched over, unless a check throws; from then on a loss needs another epoch. */
    Position open(Position at, String streamId, Runnable check) {
        Position to = new Position(at.epoch(), at.sequence(), streamId, false);
        journal.inTransaction(() -> {
            check.run();
            journal.advance(at, to);
            int opened = statement(
                            "UPDATE interlock_epoch SET opened_at = now()" + THIS_EPOCH + " AND opened_at IS NULL",
                            at.epoch())
                    .update();
            if (opened == 0) {
                throw new Moved();
            }
            return null;
        });
        return to;
    }

    /**
     * Notes that events of the epoch before were known up to a sequence.
     *
     * @return up to where they were known before, empty if that far or further
     */
    Optional<Long> seen(Begun epoch, long sequence) {
        return journal.inTransaction(() -> {
            Optional<Long> known = statement(
                            "SELECT seen FROM interlock_epoch" + THIS_EPOCH + " FOR UPDATE", epoch.epoch())
                    .query(Long.class)
                    .optional()
                    .filter(seen -> seen < sequence);
            if (known.isPresent()) {
                statement("UPDATE interlock_epoch SET seen = :seen" + THIS_EPOCH, epoch.epoch())
                        .param("seen", sequence)
                        .update();
            }
            return known;
        });
    }

    /** The terms of an epoch: limit, opening and closing time; empty if the ledger does not know them. */
    Optional<String> terms(long epoch) {
        Optional<String> times = note(epoch, "kind = 'RESCHEDULED' ORDER BY seq DESC");
        return note(epoch, "kind = 'CREATED' ORDER BY seq")
                .map(terms -> times.map(changed -> terms.substring(0, terms.indexOf(' ') + 1) + changed)
                        .orElse(terms));
    }

    private Optional<String> note(long epoch, String which) {
        return journal.inTransaction(() -> statement(
                        "SELECT note FROM interlock_event" + THIS_EPOCH + " AND note IS NOT NULL AND " + which
                                + " LIMIT 1",
                        epoch)
                .query(String.class)
                .optional());
    }

    /** Units that are held at the end of an epoch. Holds do not outlive it. */
    long held(long epoch) {
        return journal.inTransaction(() -> statement(
                        "SELECT coalesce(-sum(delta), 0) FROM interlock_event h" + THIS_EPOCH + " AND kind = 'HELD'"
                                + " AND NOT EXISTS (SELECT 1 FROM interlock_event e WHERE e.pool = h.pool"
                                + " AND e.epoch = h.epoch AND e.shard = h.shard AND e.hold = h.hold AND e.seq > h.seq)",
                        epoch)
                .query(Long.class)
                .single());
    }

    /** Units left by all events of an epoch. */
    long units(long epoch) {
        return journal.inTransaction(() -> statement(
                        "SELECT coalesce(sum(delta), 0) FROM interlock_event" + THIS_EPOCH + " AND kind <> 'ADJUSTED'",
                        epoch)
                .query(Long.class)
                .single());
    }

    /**
     * Reads all units that users hold, ordered by user, with a cursor.
     *
     * @param page takes all units of some users
     * @return how many users there are
     */
    long readHeld(Consumer<List<Claim>> page) {
        return journal.inTransaction(() -> {
            ClaimPages pages = new ClaimPages(page);
            template.query(
                    "SELECT user_id, request_id, nth, seq FROM interlock_event"
                            + " WHERE pool = ? AND shard = ? AND kind = 'ISSUED' AND revoked_by IS NULL"
                            + " ORDER BY user_id, nth",
                    row -> {
                        pages.add(new Claim(
                                row.getString("user_id"),
                                row.getString("request_id"),
                                row.getInt("nth"),
                                row.getLong("seq")));
                    },
                    pool,
                    shard);
            return pages.end();
        });
    }

    /** What some users have and had. */
    Map<String, Holdings> holdings(List<String> users) {
        Map<String, Holdings> all = new HashMap<>();
        String[] names = users.stream().filter(user -> user.indexOf('\0') < 0).toArray(String[]::new);
        journal.inTransaction(() -> {
            read(UNITS_OF + " AND revoked_by IS NULL AND user_id = ANY(:users)", names, all, true);
            read(UNITS_OF + " AND revoked_by IS NOT NULL AND user_id = ANY(:users)", names, all, false);
            return null;
        });
        return all;
    }

    private void read(String sql, String[] users, Map<String, Holdings> all, boolean held) {
        jdbc.sql(sql)
                .param("pool", pool)
                .param("shard", shard)
                .param("users", users)
                .query(row -> {
                    Holdings of = all.computeIfAbsent(row.getString("user_id"), user -> new Holdings());
                    of.requests().put(row.getString("request_id"), row.getLong("seq"));
                    if (held) {
                        of.units().put(row.getInt("nth"), row.getLong("seq"));
                    }
                });
    }

    /** Whether all these units of an epoch are recorded, in whatever epoch, or set aside. */
    boolean allRecorded(long epoch, List<Claim> claims) {
        Map<String, Holdings> known =
                holdings(claims.stream().map(Claim::userId).distinct().toList());
        Long[] unknown = claims.stream()
                .filter(claim -> !known.getOrDefault(claim.userId(), new Holdings())
                        .requests()
                        .containsKey(claim.requestId()))
                .map(Claim::issue)
                .toArray(Long[]::new);
        return unknown.length == 0 || dead(epoch, unknown) == unknown.length;
    }

    private long dead(long epoch, Long[] sequences) {
        return journal.inTransaction(() -> statement(
                        "SELECT count(*) FROM interlock_event" + THIS_EPOCH + " AND kind = 'DEAD' AND seq = ANY(:seqs)",
                        epoch)
                .param("seqs", sequences)
                .query(Long.class)
                .single());
    }
}
