// SPDX-License-Identifier: Apache-2.0
package dev.interlock.ledger;

import java.util.List;
import java.util.UUID;
import javax.sql.DataSource;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.jdbc.support.JdbcTransactionManager;
import org.springframework.transaction.support.TransactionTemplate;

/** What a publisher reads and writes in the database; each method is one transaction. */
final class Onward {
    private static final String THIS = " WHERE pool = :pool AND shard = :shard";
    /** A pool whose events no publisher has met starts before its first. */
    private static final String BEHIND = """
            SELECT p.pool, p.shard, coalesce(o.epoch, 0) AS epoch, coalesce(o.seq, -1) AS seq
            FROM interlock_position p LEFT JOIN interlock_onward o ON o.pool = p.pool AND o.shard = p.shard
            WHERE p.seq >= 0 AND (o.pool IS NULL OR (o.epoch, o.seq) < (p.epoch, p.seq)
                AND (o.owner = :owner OR o.lease_until < now()))
            ORDER BY p.pool, p.shard LIMIT 100
            """;

    private static final String CLAIM = """
            INSERT INTO interlock_onward AS o (pool, shard, epoch, seq, owner, lease_until)
            VALUES (:pool, :shard, :epoch, :seq, :owner, now() + :lease * interval '1 millisecond')
            ON CONFLICT (pool, shard) DO UPDATE SET owner = excluded.owner, lease_until = excluded.lease_until
            WHERE (o.epoch, o.seq) = (excluded.epoch, excluded.seq) AND (o.owner = excluded.owner OR o.lease_until < now())
            """;
    private static final String NEXT = """
            SELECT epoch, seq, json_strip_nulls(json_build_object('pool', pool, 'epoch', epoch, 'shard', shard,
                'sequence', seq, 'kind', kind, 'delta', delta, 'user', user_id, 'nth', nth, 'request', request_id,
                'issue', issue_seq, 'note', note, 'at', to_json(occurred_at AT TIME ZONE 'UTC')))::text AS json
            FROM interlock_event WHERE pool = :pool AND shard = :shard AND (epoch, seq) > (:epoch, :seq)
            ORDER BY epoch, seq LIMIT :max
            """;

    private final JdbcTemplate template;
    private final JdbcClient jdbc;
    private final TransactionTemplate transactions;
    private final String owner = UUID.randomUUID().toString();
    private final long leaseMillis;
    private final String limits;

    /** Up to where the events of a shard are published. */
    record Place(String pool, int shard, long epoch, long sequence) {}

    /** An event to publish: its id is the place it leads to. */
    record Event(Place place, String json) {
        String id() {
            return place.pool + ':' + place.epoch + ':' + place.shard + ':' + place.sequence;
        }
    }

    Onward(DataSource dataSource, PublisherOptions options) {
        this.template = new JdbcTemplate(dataSource);
        this.jdbc = JdbcClient.create(template);
        this.transactions = new TransactionTemplate(new JdbcTransactionManager(dataSource));
        this.leaseMillis = options.lease().toMillis();
        long millis = options.timeout().toMillis();
        this.limits = "SET LOCAL statement_timeout = " + millis + "; SET LOCAL lock_timeout = " + millis;
    }

    /** Shards with events to publish that no other publisher is at. */
    List<Place> behind() {
        return transactions.execute(status -> {
            template.execute(limits);
            return jdbc.sql(BEHIND)
                    .param("owner", owner)
                    .query((row, index) -> new Place(
                            row.getString("pool"), row.getInt("shard"), row.getLong("epoch"), row.getLong("seq")))
                    .list();
        });
    }

    /** The events after a place, oldest first, if no other publisher is at that shard; keeps others away for the lease. */
    List<Event> claim(Place from, int max) {
        return transactions.execute(status -> {
            template.execute(limits);
            int claimed = at(CLAIM, from)
                    .param("owner", owner)
                    .param("lease", leaseMillis)
                    .update();
            if (claimed == 0) {
                return List.<Event>of();
            }
            return at(NEXT, from)
                    .param("max", max)
                    .query((row, index) -> new Event(
                            new Place(from.pool(), from.shard(), row.getLong("epoch"), row.getLong("seq")),
                            row.getString("json")))
                    .list();
        });
    }

    /** Notes what was published; false if another publisher noted more, then some events were published twice. */
    boolean mark(Place from, Place to) {
        return Boolean.TRUE.equals(transactions.execute(status -> {
            template.execute(limits);
            return at(
                                    "UPDATE interlock_onward SET epoch = :toEpoch, seq = :toSeq" + THIS
                                            + " AND epoch = :epoch AND seq = :seq",
                                    from)
                            .param("toEpoch", to.epoch())
                            .param("toSeq", to.sequence())
                            .update()
                    > 0;
        }));
    }

    /** Lets the next publisher take over at once. */
    void leave() {
        jdbc.sql("UPDATE interlock_onward SET lease_until = now() - interval '1 second' WHERE owner = :owner")
                .param("owner", owner)
                .update();
    }

    private JdbcClient.StatementSpec at(String sql, Place place) {
        return jdbc.sql(sql)
                .param("pool", place.pool())
                .param("shard", place.shard())
                .param("epoch", place.epoch())
                .param("seq", place.sequence());
    }
}
