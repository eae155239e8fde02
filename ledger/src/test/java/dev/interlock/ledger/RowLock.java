// SPDX-License-Identifier: Apache-2.0
package dev.interlock.ledger;

import static org.awaitility.Awaitility.await;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.time.Duration;

/** Holds the position row of a sale, so that its relay waits in the middle of a transaction. */
record RowLock(Sale sale) {
    static RowLock on(Sale sale) {
        return new RowLock(sale);
    }

    void whileHeld(Runnable work) {
        try (Connection connection = sale.database.getConnection()) {
            connection.setAutoCommit(false);
            try (PreparedStatement lock =
                    connection.prepareStatement("SELECT 1 FROM interlock_position WHERE pool = ? FOR UPDATE")) {
                lock.setString(1, sale.name);
                lock.execute();
                work.run();
            } finally {
                connection.rollback();
            }
        } catch (SQLException e) {
            throw new IllegalStateException(e);
        }
    }

    /** Until a transaction waits for the row. */
    void awaitWaiter() {
        await().atMost(Duration.ofSeconds(15))
                .until(() -> sale.sql
                                .sql("SELECT count(*) FROM pg_stat_activity WHERE wait_event_type = 'Lock'"
                                        + " AND query LIKE 'UPDATE interlock_position SET epoch%'")
                                .query(Long.class)
                                .single()
                        > 0);
    }
}
