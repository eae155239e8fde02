// SPDX-License-Identifier: Apache-2.0
package dev.interlock.flashsale.serve.storage;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import dev.interlock.flashsale.console.FailedException;
import dev.interlock.flashsale.serve.Backends;
import dev.interlock.ledger.LedgerSchema;
import java.util.Properties;
import org.flywaydb.core.Flyway;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/**
 * Two pools of connections, so that relays and requests never wait for each other, and the tables. A statement that takes
 * too long is ended by the database; if that hangs, the socket times out a little later.
 */
@Configuration(proxyBeanMethods = false)
class StorageConfiguration {
    private static final String HISTORY = "flashsale_schema_history";
    private static final int REQUEST_CONNECTIONS = 10;
    private static final int RELAY_CONNECTIONS = 6;
    private static final int REQUEST_STATEMENT_SECONDS = 3;
    private static final int RELAY_STATEMENT_SECONDS = 10;
    private static final int CONNECT_SECONDS = 5;

    @Bean
    HikariDataSource relayConnections(Backends backends) {
        HikariDataSource source =
                connections(backends.jdbcUrl(), "relay", RELAY_CONNECTIONS, RELAY_STATEMENT_SECONDS);
        LedgerSchema.migrate(source);
        Flyway.configure(StorageConfiguration.class.getClassLoader())
                .dataSource(source)
                .locations("classpath:dev/interlock/flashsale/serve/migration")
                .table(HISTORY)
                .baselineOnMigrate(true)
                .baselineVersion("0")
                .load()
                .migrate();
        return source;
    }

    /** Takes the relays' pool only to come after its migration. */
    @Bean
    HikariDataSource requestConnections(Backends backends, HikariDataSource relayConnections) {
        return connections(backends.jdbcUrl(), "requests", REQUEST_CONNECTIONS, REQUEST_STATEMENT_SECONDS);
    }

    @Bean
    Database database(HikariDataSource requestConnections) {
        return new Database(requestConnections);
    }

    private static HikariDataSource connections(String jdbcUrl, String name, int size, int statementSeconds) {
        HikariConfig config = new HikariConfig();
        config.setPoolName(name);
        config.setJdbcUrl(jdbcUrl);
        config.setMaximumPoolSize(size);
        config.setMinimumIdle(1);
        config.setConnectionTimeout(statementSeconds * 1_000L);
        config.setValidationTimeout(1_000);
        config.setInitializationFailTimeout(1); // one try
        Properties driver = new Properties();
        driver.setProperty("ApplicationName", "interlock-flashsale-" + name);
        driver.setProperty("connectTimeout", Integer.toString(CONNECT_SECONDS));
        driver.setProperty("socketTimeout", Integer.toString(statementSeconds + 2));
        driver.setProperty("options", "-c statement_timeout=" + statementSeconds * 1_000);
        config.setDataSourceProperties(driver);
        try {
            return new HikariDataSource(config);
        } catch (RuntimeException e) {
            Throwable reason = e.getCause() == null ? e : e.getCause();
            throw new FailedException(
                    "the database does not let us in: " + FailedException.lineOf(reason) + "; check --db", e);
        }
    }
}
