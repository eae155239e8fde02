// SPDX-License-Identifier: Apache-2.0
package dev.interlock.ledger;

import dev.interlock.ledger.Ledger.Position;
import dev.interlock.pool.Outbox;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.function.Supplier;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.jdbc.support.JdbcTransactionManager;
import org.springframework.transaction.support.TransactionTemplate;

/**
 * What one relay writes to the database. Each method is one transaction; those that record move the position in it by
 * compare-and-set, so whatever two relays do, each event is recorded by one.
 */
final class Journal {
    private static final String THIS_SHARD = " WHERE pool = :pool AND shard = :shard";

    private final JdbcTemplate template;
    private final JdbcClient jdbc;
    private final TransactionTemplate transactions;
    private final EventRows rows;
    private final String pool;
    private final int shard;
    private final EpochJournal epochs;
    private final Moves moves;
    private final DataSource dataSource;
    private final RelayOptions options;
    private final String limits;
    private final long leaseMillis;
    private final String owner = UUID.randomUUID().toString();

    /** A position, and whether this relay holds the lease. */
    record Seat(Position position, boolean held) {}

    /** A unit that is to go back to its pool. */
    record Owed(long id, String userId, long issue) {}

    Journal(DataSource dataSource, String pool, int shard, RelayOptions options) {
        this.template = new JdbcTemplate(dataSource);
        this.jdbc = JdbcClient.create(template);
        this.transactions = new TransactionTemplate(new JdbcTransactionManager(dataSource));
        this.rows = new EventRows(jdbc, pool, shard);
        this.pool = pool;
        this.shard = shard;
        this.epochs = new EpochJournal(this, dataSource, pool, shard);
        this.moves = new Moves(this, dataSource, pool, shard);
        this.dataSource = dataSource;
        this.options = options;
        long millis = options.timeout().toMillis();
        this.limits = "SET LOCAL statement_timeout = " + millis + "; SET LOCAL lock_timeout = " + millis;
        this.leaseMillis = options.lease().toMillis();
    }

    EpochJournal epochs() {
        return epochs;
    }

    Moves moves() {
        return moves;
    }

    /** That of another shard of the pool. */
    Journal sibling(int other) {
        return new Journal(dataSource, pool, other, options);
    }

    <T extends @Nullable Object> T inTransaction(Supplier<T> work) {
        return transactions.execute(status -> {
            template.execute(limits);
            return work.get();
        });
    }

    /** Takes the lease if it is free, ended or this relay's own; empty if the pool has no position yet. */
    Optional<Seat> takeSeat() {
        return inTransaction(() -> {
            Optional<Position> taken = jdbc.sql(
                            "UPDATE interlock_position SET owner = :owner, lease_until = " + leaseEnd()
                                    + THIS_SHARD + " AND (owner = :owner OR lease_until < now())"
                                    + " RETURNING epoch, seq, stream_id, rebuilding")
                    .param("owner", owner)
                    .param("lease", leaseMillis)
                    .param("pool", pool)
                    .param("shard", shard)
                    .query(Position::of)
                    .optional();
            return taken.isPresent() ? taken.map(at -> new Seat(at, true)) : read().map(at -> new Seat(at, false));
        });
    }

    private Optional<Position> read() {
        return jdbc.sql("SELECT epoch, seq, stream_id, rebuilding FROM interlock_position" + THIS_SHARD)
                .param("pool", pool)
                .param("shard", shard)
                .query(Position::of)
                .optional();
    }

    /** The position as it is now. */
    Position position() {
        return find().orElseThrow(Moved::new);
    }

    /** The position as it is now, if the pool has one. */
    Optional<Position> find() {
        return inTransaction(this::read);
    }

    /** Whether the last recorded event says that the pool was deleted. */
    boolean dropped(Position at) {
        return inTransaction(() -> jdbc.sql("SELECT kind = 'DROPPED' FROM interlock_event" + THIS_SHARD
                        + " AND epoch = :epoch AND seq = :seq")
                .param("pool", pool)
                .param("shard", shard)
                .param("epoch", at.epoch())
                .param("seq", at.sequence())
                .query(Boolean.class)
                .optional()
                .orElse(false));
    }

    /** Starts the record of a pool that no relay has met; nothing happens if one just did. */
    void begin(long epoch) {
        inTransaction(
                () -> jdbc.sql("INSERT INTO interlock_position (pool, shard, epoch, seq, stream_id, owner, lease_until)"
                                + " VALUES (:pool, :shard, :epoch, -1, :stream, :owner, " + leaseEnd()
                                + ") ON CONFLICT DO NOTHING")
                        .param("pool", pool)
                        .param("shard", shard)
                        .param("epoch", epoch)
                        .param("stream", Outbox.START)
                        .param("owner", owner)
                        .param("lease", leaseMillis)
                        .update());
    }

    /** Lets the next relay take over at once. */
    void leaveSeat() {
        inTransaction(() -> jdbc.sql("UPDATE interlock_position SET lease_until = now() - interval '1 second'"
                        + THIS_SHARD + " AND owner = :owner")
                .param("pool", pool)
                .param("shard", shard)
                .param("owner", owner)
                .update());
    }

    /** Moves the position without recording. */
    Position move(Position from, Position to) {
        inTransaction(() -> advance(from, to));
        return to;
    }

    /** Records lines, which follow the position without a gap. */
    Position append(Position at, List<Line> lines) {
        Position to = Line.after(at, lines);
        inTransaction(() -> {
            advance(at, to);
            rows.insert(lines);
            return null;
        });
        return to;
    }

    /** Sets one event aside; its row of kind DEAD keeps the sequence dense and the sum of the deltas right. */
    Position bury(Position at, Line line, DeadEvent dead) {
        Position to = Line.after(at, List.of(line));
        inTransaction(() -> {
            advance(at, to);
            rows.insertDead(line.event(), to.streamId(), dead);
            return null;
        });
        return to;
    }

    /** Sets an entry aside that cannot be read; it has no sequence. */
    Position buryEntry(Position at, String entryId, DeadEvent dead) {
        Position to = new Position(at.epoch(), at.sequence(), entryId, at.rebuilding());
        inTransaction(() -> {
            advance(at, to);
            rows.insertUnreadable(at.epoch(), entryId, dead);
            return null;
        });
        return to;
    }

    /** Within a transaction. */
    int advance(Position from, Position to) {
        int moved = jdbc.sql("UPDATE interlock_position SET epoch = :toEpoch, seq = :toSeq, stream_id = :toStream,"
                        + " rebuilding = :toRebuilding, owner = :owner, lease_until = " + leaseEnd() + THIS_SHARD
                        + " AND epoch = :epoch AND seq = :seq AND stream_id = :stream AND rebuilding = :rebuilding")
                .param("toEpoch", to.epoch())
                .param("toSeq", to.sequence())
                .param("toStream", to.streamId())
                .param("toRebuilding", to.rebuilding())
                .param("owner", owner)
                .param("lease", leaseMillis)
                .param("pool", pool)
                .param("shard", shard)
                .param("epoch", from.epoch())
                .param("seq", from.sequence())
                .param("stream", from.streamId())
                .param("rebuilding", from.rebuilding())
                .update();
        if (moved == 0) {
            throw new Moved();
        }
        return moved;
    }

    /** Units of dead events that are not back yet, at most 100; all are of the epoch given. */
    List<Owed> owed(long epoch) {
        return inTransaction(() -> jdbc.sql("SELECT id, user_id, seq FROM interlock_dead_event" + THIS_SHARD
                        + " AND NOT unit_returned AND epoch = :epoch ORDER BY id LIMIT 100")
                .param("pool", pool)
                .param("shard", shard)
                .param("epoch", epoch)
                .query((row, index) -> new Owed(row.getLong("id"), row.getString("user_id"), row.getLong("seq")))
                .list());
    }

    /** Notes that a unit is back. */
    void returned(long id) {
        inTransaction(() -> jdbc.sql("UPDATE interlock_dead_event SET unit_returned = true WHERE id = :id")
                .param("id", id)
                .update());
    }

    private static String leaseEnd() {
        return "now() + :lease * interval '1 millisecond'";
    }
}
