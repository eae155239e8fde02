// SPDX-License-Identifier: Apache-2.0
package dev.interlock.ledger;

import dev.interlock.embedded.RedisServer;
import dev.interlock.pool.Outbox;
import dev.interlock.pool.OutboxEntry;
import dev.interlock.pool.PoolEvent;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.Statement;
import java.sql.Timestamp;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** Compares the relay with a plain JDBC batch insert of the same rows, on the servers of the tests. */
final class RelayThroughputMain {
    private static final int EVENTS = 200_000;
    private static final int ROWS_PER_COMMIT = 5_000;

    private RelayThroughputMain() {}

    public static void main(String[] args) throws SQLException {
        try (Servers servers = new Servers(RedisServer.builder())) {
            for (int round = 1; round <= 3; round++) {
                run(servers, round);
            }
        }
    }

    private static void run(Servers servers, int round) throws SQLException {
        try (Sale sale = servers.sale().of(EVENTS)) {
            for (int i = 0; i < EVENTS / 2_000; i++) {
                sale.issue(2_000);
            }
            List<PoolEvent> events = new ArrayList<>();
            try (Outbox outbox = sale.pool.outbox()) {
                String after = Outbox.START;
                for (List<OutboxEntry> page = outbox.read(after, 1_000, Duration.ZERO);
                        !page.isEmpty();
                        page = outbox.read(after, 1_000, Duration.ZERO)) {
                    page.forEach(entry -> events.addAll(entry.events()));
                    after = page.get(page.size() - 1).id();
                }
            }
            double plain = plain(servers, events, "");
            double rewritten = plain(servers, events, "&reWriteBatchedInserts=true");
            long start = System.nanoTime();
            sale.relay(RelayOptions.DEFAULTS);
            sale.awaitRecorded(Duration.ofMinutes(2));
            double relay = events.size() * 1e9 / (System.nanoTime() - start);
            sale.assertExact();
            System.out.printf(
                    "round %d: relay %.0f/s, plain batch %.0f/s (relay %.2f), rewritten batch %.0f/s (relay %.2f)%n",
                    round, relay, plain, relay / plain, rewritten, relay / rewritten);
        }
    }

    private static double plain(Servers servers, List<PoolEvent> events, String option) throws SQLException {
        try (Connection connection = DriverManager.getConnection(servers.postgres.jdbcUrl() + option);
                Statement statement = connection.createStatement()) {
            statement.execute("DROP TABLE IF EXISTS plain_event");
            statement.execute("CREATE TABLE plain_event (LIKE interlock_event INCLUDING ALL)");
            connection.setAutoCommit(false);
            long start = System.nanoTime();
            try (PreparedStatement insert =
                    connection.prepareStatement("INSERT INTO plain_event (pool, epoch, shard, seq,"
                            + " kind, delta, user_id, nth, request_id, issue_seq, note, occurred_at)"
                            + " VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)")) {
                for (int i = 0; i < events.size(); i++) {
                    bind(insert, events.get(i));
                    insert.addBatch();
                    if (i % ROWS_PER_COMMIT == ROWS_PER_COMMIT - 1 || i == events.size() - 1) {
                        insert.executeBatch();
                        connection.commit();
                    }
                }
            }
            return events.size() * 1e9 / (System.nanoTime() - start);
        }
    }

    private static void bind(PreparedStatement insert, PoolEvent event) throws SQLException {
        PoolEvent.Claim claim = event.claim();
        insert.setString(1, "plain");
        insert.setLong(2, event.position().epoch());
        insert.setInt(3, 0);
        insert.setLong(4, event.position().sequence());
        insert.setString(5, event.kind().name());
        insert.setLong(6, event.delta());
        insert.setString(7, claim == null ? null : claim.userId());
        insert.setObject(8, claim == null ? null : claim.nth());
        insert.setString(9, claim == null ? null : claim.requestId());
        insert.setObject(10, claim == null ? null : claim.issue());
        insert.setString(11, event.note());
        insert.setTimestamp(12, Timestamp.from(event.position().at()));
    }
}
