// SPDX-License-Identifier: Apache-2.0
package dev.interlock.ledger;

import dev.interlock.ledger.Ledger.Position;
import dev.interlock.pool.PoolEvent;
import dev.interlock.pool.PoolEvent.Kind;
import dev.interlock.pool.Restoration.Point;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Function;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;
import org.springframework.jdbc.core.simple.JdbcClient;

/**
 * The record of units that moved between the shards of a pool, and how a rebuild of one shard brings those to an end whose
 * departure or arrival is lost. It decides alone: the positions of all shards are locked meanwhile.
 */
final class Moves {
    private final Journal journal;
    private final JdbcClient jdbc;
    private final EventRows rows;
    private final String pool;
    private final int shard;

    /** Units that left a shard by an event. */
    private record Move(int source, int target, long epoch, long sequence, long units) {
        Point point() {
            return new Point(epoch, sequence);
        }
    }

    Moves(Journal journal, DataSource dataSource, String pool, int shard) {
        this.journal = journal;
        this.jdbc = JdbcClient.create(dataSource);
        this.rows = new EventRows(jdbc, pool, shard);
        this.pool = pool;
        this.shard = shard;
    }

    /**
     * Records in an epoch that has begun what becomes of all units that the shard sent or was sent and that are lost between.
     *
     * @param at how far the epoch is recorded
     * @param ends of each other shard: all its events up to here are recorded, units that this one sent before and that are
     *     not among them never arrive, and what it sent up to here to this one is not under way any more
     * @return how far it is recorded now
     * @throws Moved if one of the others began another epoch meanwhile
     */
    Position settle(Position at, Map<Integer, Point> ends) {
        return journal.inTransaction(() -> {
            checkEpochs(ends);
            List<Line> lines = new ArrayList<>();
            Function<Integer, Long> born = from ->
                    born(from, from == shard ? at.epoch() : end(ends, from).epoch());
            for (Move move : unarrived()) {
                boolean mine = move.source() == shard;
                boolean over = mine || !move.point().isAfter(end(ends, move.source()));
                if (over && move.epoch() >= born.apply(move.source())) {
                    lines.add(line(at, lines.size(), Kind.MOVED_IN, move.units(), note(move.source(), move)));
                }
            }
            long left = units(at.epoch())
                    + lines.stream().mapToLong(line -> line.event().delta()).sum();
            for (Move move : unsent()) {
                if (move.epoch() >= born.apply(shard)) {
                    // Never below nothing: what the record lacks was lost with the event that sent it.
                    long units = Math.max(0, Math.min(left, move.units()));
                    left -= units;
                    lines.add(line(at, lines.size(), Kind.MOVED_OUT, -units, note(move.target(), move)));
                }
            }
            Position to = new Position(at.epoch(), at.sequence() + lines.size(), at.streamId(), at.rebuilding());
            journal.advance(at, to);
            if (!lines.isEmpty()) {
                rows.insert(lines);
            }
            return to;
        });
    }

    private static Point end(Map<Integer, Point> ends, int shard) {
        return Objects.requireNonNull(ends.get(shard));
    }

    private static String note(int other, Move move) {
        return other + " " + move.epoch() + ' ' + move.sequence();
    }

    private static Line line(Position at, int before, Kind kind, long delta, String note) {
        PoolEvent.Position next = new PoolEvent.Position(at.epoch(), at.sequence() + before + 1, Instant.now());
        return new Line(new PoolEvent(next, kind, delta, null, note), null);
    }

    /** Within a transaction: locks all shards, and checks that those given are in the epochs they were in. */
    void checkEpochs(Map<Integer, Point> ends) {
        Map<Integer, Point> now = new HashMap<>();
        jdbc.sql("SELECT shard, epoch, seq FROM interlock_position WHERE pool = :pool ORDER BY shard FOR UPDATE")
                .param("pool", pool)
                .query(row -> {
                    now.put(row.getInt("shard"), new Point(row.getLong("epoch"), row.getLong("seq")));
                });
        ends.forEach((other, end) -> {
            Point found = now.getOrDefault(other, Point.NOTHING);
            if (found.epoch() != end.epoch() || end.isAfter(found)) {
                throw new Moved();
            }
        });
    }

    /** The first epoch of the life that a shard is in; rebuilds do not end a life. */
    private long born(int of, long epoch) {
        long first = epoch;
        for (Optional<Long> before = before(of, first); before.isPresent(); before = before(of, first)) {
            first = before.get();
        }
        return first;
    }

    private Optional<Long> before(int of, long epoch) {
        return jdbc.sql("SELECT before FROM interlock_epoch WHERE pool = :pool AND shard = :shard AND epoch = :epoch")
                .param("pool", pool)
                .param("shard", of)
                .param("epoch", epoch)
                .query(Long.class)
                .optional();
    }

    /** What was sent to this shard or by it, and has arrived nowhere. */
    private List<Move> unarrived() {
        return moves(
                "SELECT s.* FROM interlock_sent s WHERE s.pool = :pool AND (s.source = :shard OR s.target = :shard)"
                        + " AND NOT EXISTS (SELECT 1 FROM interlock_arrived a WHERE a.pool = s.pool AND a.source = s.source"
                        + " AND a.epoch = s.epoch AND a.seq = s.seq AND a.target IN (s.source, s.target))");
    }

    /** What has arrived from this shard in another, but never left according to the record. */
    private List<Move> unsent() {
        return moves("SELECT a.* FROM interlock_arrived a WHERE a.pool = :pool AND a.source = :shard"
                + " AND a.target <> :shard AND NOT EXISTS (SELECT 1 FROM interlock_sent s WHERE s.pool = a.pool"
                + " AND s.source = a.source AND s.epoch = a.epoch AND s.seq = a.seq)");
    }

    private List<Move> moves(String sql) {
        return jdbc.sql(sql)
                .param("pool", pool)
                .param("shard", shard)
                .query((row, index) -> new Move(
                        row.getInt("source"),
                        row.getInt("target"),
                        row.getLong("epoch"),
                        row.getLong("seq"),
                        row.getLong("units")))
                .list();
    }

    private long units(long epoch) {
        @Nullable
        Long units = jdbc.sql("SELECT coalesce(sum(delta), 0) FROM interlock_event WHERE pool = :pool"
                        + " AND shard = :shard AND epoch = :epoch AND kind <> 'ADJUSTED'")
                .param("pool", pool)
                .param("shard", shard)
                .param("epoch", epoch)
                .query(Long.class)
                .single();
        return Objects.requireNonNull(units);
    }
}
