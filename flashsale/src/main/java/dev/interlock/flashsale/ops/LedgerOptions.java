// SPDX-License-Identifier: Apache-2.0
package dev.interlock.flashsale.ops;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import dev.interlock.flashsale.console.DatabaseOption;
import dev.interlock.flashsale.console.FailedException;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;

/** Which database records a pool, for commands that need it. */
final class LedgerOptions {
    private static final int CONNECT_MILLIS = 5_000;
    private static final int CONNECTIONS = 2;

    @Mixin
    private DatabaseOption database = new DatabaseOption();

    /** The URL; without one it is a wrong option. */
    String checked(CommandSpec spec) {
        String url = database.checked(spec);
        if (url == null) {
            throw new ParameterException(
                    spec.commandLine(), "--db is missing: give the database that records the pool");
        }
        return url;
    }

    /** Connects, in one try. */
    static HikariDataSource connect(String url) {
        HikariConfig config = new HikariConfig();
        config.setJdbcUrl(url);
        config.setMaximumPoolSize(CONNECTIONS);
        config.setMinimumIdle(1);
        config.setConnectionTimeout(CONNECT_MILLIS);
        config.setInitializationFailTimeout(1); // one try
        config.addDataSourceProperty("socketTimeout", "30");
        try {
            return new HikariDataSource(config);
        } catch (RuntimeException e) {
            Throwable reason = e.getCause() == null ? e : e.getCause();
            throw new FailedException(
                    "the database does not let us in: " + FailedException.lineOf(reason) + "; check --db", e);
        }
    }
}
