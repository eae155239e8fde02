// SPDX-License-Identifier: Apache-2.0
package dev.interlock.ledger;

import static org.awaitility.Awaitility.await;

import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;

/** Keeps relays from inserting, so that one waits in the middle of a transaction, with the batch that it has read. */
record TableLock(Sale sale) {
    void whileHeld(Runnable work) {
        try (Connection connection = sale.database.getConnection();
                Statement statement = connection.createStatement()) {
            connection.setAutoCommit(false);
            statement.execute("LOCK TABLE interlock_event IN SHARE MODE");
            try {
                work.run();
            } finally {
                connection.rollback();
            }
        } catch (SQLException e) {
            throw new IllegalStateException(e);
        }
    }

    void awaitWaiter() {
        await().atMost(Duration.ofSeconds(15))
                .until(() -> sale.sql
                                .sql("SELECT count(*) FROM pg_stat_activity WHERE wait_event_type = 'Lock'"
                                        + " AND query LIKE 'INSERT INTO interlock_event%'")
                                .query(Long.class)
                                .single()
                        > 0);
    }
}
