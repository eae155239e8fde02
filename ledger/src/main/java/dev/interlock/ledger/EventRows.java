// SPDX-License-Identifier: Apache-2.0
package dev.interlock.ledger;

import dev.interlock.pool.PoolEvent;
import dev.interlock.pool.PoolEvent.Claim;
import dev.interlock.pool.PoolEvent.Kind;
import dev.interlock.pool.PoolEvent.OfHold;
import java.sql.Timestamp;
import java.sql.Types;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.jdbc.support.SqlArrayValue;

/** The rows of events, inside the caller's transaction. A batch is one statement, however many events it has. */
final class EventRows {
    private static final String INSERT = """
            INSERT INTO interlock_event (pool, epoch, shard, seq, kind, delta, user_id, nth, request_id, issue_seq, note,
                revoked_by, hold, deadline, occurred_at)
            SELECT :pool, :epoch, :shard, e.seq, e.kind, e.delta, e.user_id, e.nth, e.request_id, e.issue_seq, e.note,
                e.revoked_by, e.hold, timestamptz 'epoch' + e.deadline * interval '1 microsecond',
                timestamptz 'epoch' + e.micros * interval '1 microsecond'
            FROM unnest(:seqs, :kinds, :deltas, :users, :nths, :requests, :issues, :notes, :revokers, :holds, :deadlines,
                    :micros)
                AS e (seq, kind, delta, user_id, nth, request_id, issue_seq, note, revoked_by, hold, deadline, micros)
            """;
    /** Of the epochs that were rebuilt from each other, the unit is of the latest that began at or before its number. */
    private static final String REVOKE = """
            UPDATE interlock_event SET revoked_by = r.seq
            FROM unnest(:seqs, :issues) AS r (seq, issue)
            WHERE pool = :pool AND shard = :shard AND interlock_event.seq = r.issue AND kind = 'ISSUED' AND epoch = (
                SELECT max(c.epoch) FROM (
                    SELECT cast(:epoch AS bigint) AS epoch
                    UNION SELECT before FROM interlock_epoch WHERE pool = :pool AND shard = :shard AND epoch <= :epoch) c
                LEFT JOIN interlock_epoch x ON x.pool = :pool AND x.shard = :shard AND x.epoch = c.epoch
                WHERE x.first_seq IS NULL OR x.first_seq <= r.issue)
            """;

    private static final String INSERT_DEAD_ROW = """
            INSERT INTO interlock_event (pool, epoch, shard, seq, kind, delta, occurred_at)
            VALUES (:pool, :epoch, :shard, :seq, 'DEAD', :delta, :at)
            """;
    private static final String INSERT_DEAD = """
            INSERT INTO interlock_dead_event (pool, epoch, shard, seq, user_id, request_id, stream_id, payload, error,
                unit_returned, occurred_at)
            VALUES (:pool, :epoch, :shard, :seq, :user, :request, :stream, :payload, :error, :returned, :at)
            """;

    private final JdbcClient jdbc;
    private final String pool;
    private final int shard;

    EventRows(JdbcClient jdbc, String pool, int shard) {
        this.jdbc = jdbc;
        this.pool = pool;
        this.shard = shard;
    }

    /** Inserts events of one epoch. A revocation frees its unit first, so that the unit may be issued again after it. */
    void insert(List<Line> lines) {
        List<PoolEvent> events = lines.stream().map(Line::event).toList();
        long first = events.get(0).position().sequence();
        Map<Long, Long> revokers = new HashMap<>();
        for (PoolEvent event : events) {
            Claim claim = event.claim();
            if (event.kind() == Kind.REVOKED && claim != null) {
                revokers.put(claim.issue(), event.position().sequence());
            }
        }
        revoke(events.get(0).position().epoch(), revokers, first);
        statement(INSERT, events.get(0).position().epoch())
                .param("seqs", longs(events, event -> event.position().sequence()))
                .param("kinds", texts(events, event -> event.kind().name()))
                .param("deltas", longs(events, PoolEvent::delta))
                .param("users", texts(events, event -> ofIssue(event, Claim::userId)))
                .param(
                        "nths",
                        array("int4", events, event -> event.kind() == Kind.HELD ? null : ofIssue(event, Claim::nth)))
                .param("requests", texts(events, event -> ofIssue(event, Claim::requestId)))
                .param("issues", longs(events, EventRows::issue))
                .param("notes", texts(events, PoolEvent::note))
                .param(
                        "revokers",
                        longs(events, event -> revokers.get(event.position().sequence())))
                .param("holds", texts(events, event -> ofHold(event, OfHold::id)))
                .param("deadlines", longs(events, event -> micros(ofHold(event, OfHold::deadline))))
                .param("micros", longs(events, event -> micros(event.position().at())))
                .update();
    }

    /** Frees the units that were issued before this batch; those issued in it are inserted as revoked. */
    private void revoke(long epoch, Map<Long, Long> revokers, long firstOfBatch) {
        List<Long> earlier =
                revokers.keySet().stream().filter(issue -> issue < firstOfBatch).toList();
        if (!earlier.isEmpty()) {
            statement(REVOKE, epoch)
                    .param("seqs", longs(earlier, revokers::get))
                    .param("issues", longs(earlier, issue -> issue))
                    .update();
        }
    }

    /** Inserts the event as dead. What it did to others still counts: a dead revocation frees its unit. */
    void insertDead(PoolEvent event, String streamId, DeadEvent dead) {
        PoolEvent.Position position = event.position();
        Claim claim = event.claim();
        if (event.kind() == Kind.REVOKED && claim != null) {
            revoke(position.epoch(), Map.of(claim.issue(), position.sequence()), position.sequence());
        }
        Timestamp at = Timestamp.from(position.at());
        statement(INSERT_DEAD_ROW, position.epoch())
                .param("seq", position.sequence())
                .param("delta", event.kind() == Kind.ADJUSTED ? 0 : event.delta()) // as sums leave repairs out
                .param("at", at)
                .update();
        dead(position.epoch(), streamId, dead)
                .param("request", claim == null ? null : printable(claim.requestId()))
                .param("at", at)
                .update();
    }

    /** Inserts an entry that could not be read. */
    void insertUnreadable(long epoch, String streamId, DeadEvent dead) {
        dead(epoch, streamId, dead)
                .param("request", null)
                .param("at", null, Types.TIMESTAMP_WITH_TIMEZONE)
                .update();
    }

    private JdbcClient.StatementSpec dead(long epoch, String streamId, DeadEvent dead) {
        String user = dead.userId();
        return statement(INSERT_DEAD, epoch)
                .param("seq", dead.sequence())
                .param("user", user == null ? null : printable(user))
                .param("stream", streamId)
                .param("payload", printable(dead.payload()))
                .param("error", printable(dead.error()))
                .param("returned", dead.unitReturned());
    }

    private JdbcClient.StatementSpec statement(String sql, long epoch) {
        return jdbc.sql(sql).param("pool", pool).param("epoch", epoch).param("shard", shard);
    }

    /** PostgreSQL text cannot hold NUL, and what is set aside must never be refused in its turn. */
    private static String printable(String text) {
        return text.replace("\0", "\\0");
    }

    /**
     * User, unit and request stand in the row of the issue, or of the hold, only; a revocation names that row by its sequence. So a user id
     * that the database refuses cannot make the revocation of its dead issue a dead event too.
     */
    private static <T> @Nullable T ofIssue(PoolEvent event, Function<Claim, T> part) {
        Claim claim = event.claim();
        return claim == null || event.kind() == Kind.REVOKED ? null : part.apply(claim);
    }

    private static <T> @Nullable T ofHold(PoolEvent event, Function<OfHold, @Nullable T> part) {
        OfHold hold = event.hold();
        return hold == null ? null : part.apply(hold);
    }

    private static @Nullable Long issue(PoolEvent event) {
        Claim claim = event.claim();
        return claim == null || event.kind() == Kind.HELD ? null : claim.issue();
    }

    private static @Nullable Long micros(@Nullable Instant at) {
        return at == null ? null : ChronoUnit.MICROS.between(Instant.EPOCH, at);
    }

    private static <T> SqlArrayValue longs(List<T> items, Function<T, @Nullable Long> part) {
        return array("int8", items, part);
    }

    private static <T> SqlArrayValue texts(List<T> items, Function<T, @Nullable String> part) {
        return array("text", items, part);
    }

    private static <T> SqlArrayValue array(String type, List<T> items, Function<T, ? extends @Nullable Object> part) {
        return new SqlArrayValue(type, items.stream().map(part).toArray());
    }
}
