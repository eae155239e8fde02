// SPDX-License-Identifier: Apache-2.0
package dev.interlock.ledger;

import dev.interlock.pool.Outbox;
import dev.interlock.pool.Pool;
import dev.interlock.pool.Restoration.Point;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.List;
import java.util.Optional;
import javax.sql.DataSource;
import org.springframework.jdbc.core.simple.JdbcClient;

/**
 * Reads what is recorded. Thread-safe; each method is one query in the caller's transaction, if there is one. All throw
 * {@link org.springframework.dao.DataAccessException} if the database fails.
 */
public final class Ledger {
    private final JdbcClient jdbc;

    /**
     * How far a pool is recorded.
     *
     * @param epoch life of the pool
     * @param sequence latest recorded event, -1 if none
     * @param streamId latest outbox entry that is recorded whole
     * @param rebuilding whether lost events are being derived
     */
    public record Position(long epoch, long sequence, String streamId, boolean rebuilding) {
        static Position of(ResultSet row, int index) throws SQLException {
            return new Position(
                    row.getLong("epoch"), row.getLong("seq"), row.getString("stream_id"), row.getBoolean("rebuilding"));
        }

        Point point() {
            return new Point(epoch, sequence);
        }
    }

    /**
     * Sum and number of recorded events.
     *
     * @param units sum of their deltas
     * @param rows how many
     * @param first sequence of the first event of the epoch
     */
    record Total(long units, long rows, long first) {}

    private Ledger(JdbcClient jdbc) {
        this.jdbc = jdbc;
    }

    /**
     * The ledger in a database.
     *
     * @param dataSource where {@link LedgerSchema#migrate} was run
     * @return the ledger; nothing is sent
     */
    public static Ledger of(DataSource dataSource) {
        return new Ledger(JdbcClient.create(dataSource));
    }

    /**
     * How many units are recorded as issued, over all epochs, without those of dead events. Cost O(events of the pool).
     *
     * @param pool name of the pool
     * @return units, revoked ones included
     */
    public long recordedUnits(String pool) {
        return count("SELECT count(*) FROM interlock_event WHERE pool = :pool AND kind = 'ISSUED'", pool);
    }

    /**
     * How many users hold more units than allowed; 0 unless something is broken. Cost O(events of the pool).
     *
     * @param pool name of the pool
     * @param limitPerUser units that one user may hold
     * @return number of such users
     */
    public long duplicateUsers(String pool, int limitPerUser) {
        return jdbc.sql("SELECT count(*) FROM (SELECT 1 FROM interlock_event WHERE pool = :pool AND kind = 'ISSUED'"
                        + " AND revoked_by IS NULL GROUP BY user_id HAVING count(*) > :limit) duplicates")
                .param("pool", pool)
                .param("limit", limitPerUser)
                .query(Long.class)
                .single();
    }

    /**
     * How far the pool is recorded; of a pool in several shards, its first one.
     *
     * @param pool name of the pool
     * @return the position, or empty if no relay has met the pool
     */
    public Optional<Position> position(String pool) {
        return position(pool, 0);
    }

    /**
     * How far one shard of a pool is recorded.
     *
     * @param pool name of the pool
     * @param shard number of the shard, from 0
     * @return the position, or empty if no relay has met the shard
     */
    public Optional<Position> position(String pool, int shard) {
        return jdbc.sql("SELECT epoch, seq, stream_id, rebuilding FROM interlock_position"
                        + " WHERE pool = :pool AND shard = :shard")
                .param("pool", pool)
                .param("shard", shard)
                .query(Position::of)
                .optional();
    }

    /**
     * What was set aside, oldest first.
     *
     * @param pool name of the pool
     * @param max most of them
     * @return the dead events
     */
    public List<DeadEvent> deadEvents(String pool, int max) {
        return jdbc.sql("SELECT seq, user_id, payload, error, unit_returned FROM interlock_dead_event"
                        + " WHERE pool = :pool ORDER BY id LIMIT :max")
                .param("pool", pool)
                .param("max", max)
                .query((row, index) -> new DeadEvent(
                        row.getObject("seq", Long.class),
                        row.getString("user_id"),
                        row.getString("payload"),
                        row.getString("error"),
                        row.getObject("unit_returned", Boolean.class)))
                .list();
    }

    /**
     * Tells this JVM how far the pool is recorded, so that even its first call notices when Redis went back in time. A
     * {@link Relay} does it too, but not before it has met the database; call this before {@link Pool#create} where the pool
     * may have been sold from before.
     *
     * @param pool which pool
     * @param name name under which a relay records it
     * @return whether something is recorded
     */
    public boolean remind(Pool pool, String name) {
        try (Outbox outbox = pool.outbox()) {
            Optional<Position> at =
                    position(name, outbox.restoration().siblings().self()).filter(position -> position.sequence() >= 0);
            at.ifPresent(position -> outbox.restoration().remind(position.point()));
            return at.isPresent();
        }
    }

    /** Which shard a pool is; nothing is sent. */
    static int shardOf(Pool pool) {
        try (Outbox outbox = pool.outbox()) {
            return outbox.restoration().siblings().self();
        }
    }

    /** What Redis should have left at a sequence. Repairs are left out: they undo what no event told of. */
    Total total(String pool, int shard, long epoch, long throughSequence) {
        return jdbc.sql(
                        "SELECT coalesce(sum(delta) FILTER (WHERE kind <> 'ADJUSTED'), 0) AS units, count(*) AS rows,"
                                + " coalesce((SELECT first_seq FROM interlock_epoch"
                                + " WHERE pool = :pool AND epoch = :epoch AND shard = :shard), 0) AS first"
                                + " FROM interlock_event WHERE pool = :pool AND epoch = :epoch AND shard = :shard AND seq <= :seq")
                .param("pool", pool)
                .param("epoch", epoch)
                .param("shard", shard)
                .param("seq", throughSequence)
                .query((row, index) -> new Total(row.getLong("units"), row.getLong("rows"), row.getLong("first")))
                .single();
    }

    private long count(String sql, String pool) {
        return jdbc.sql(sql).param("pool", pool).query(Long.class).single();
    }
}
