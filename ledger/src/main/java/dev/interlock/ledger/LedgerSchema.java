// SPDX-License-Identifier: Apache-2.0
package dev.interlock.ledger;

import javax.sql.DataSource;
import org.flywaydb.core.Flyway;

/**
 * The tables of the ledger, all named {@code interlock_…}, in the default schema of the connection. They have a migration
 * history of their own, so they go along with the application's migrations and with whatever tables are there.
 */
public final class LedgerSchema {
    private static final String HISTORY = "interlock_schema_history";

    private LedgerSchema() {}

    /**
     * Creates the tables, or brings them up to date. Needs the right to create tables; the relay itself needs only SELECT,
     * INSERT and UPDATE on them. Safe to call from several processes at once.
     *
     * @param dataSource where
     * @throws org.flywaydb.core.api.FlywayException if the database cannot be reached or refuses
     */
    public static void migrate(DataSource dataSource) {
        Flyway.configure(LedgerSchema.class.getClassLoader())
                .dataSource(dataSource)
                .locations("classpath:dev/interlock/ledger/migration")
                .table(HISTORY)
                .baselineOnMigrate(true)
                .baselineVersion("0")
                .load()
                .migrate();
    }
}
