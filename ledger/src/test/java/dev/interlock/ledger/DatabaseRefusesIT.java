// SPDX-License-Identifier: Apache-2.0
package dev.interlock.ledger;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.zaxxer.hikari.HikariDataSource;
import dev.interlock.ledger.RelayStatus.State;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.jdbc.core.simple.JdbcClient;

/** The database answers, and says no for a while: other transactions in the way, no space, no connection. */
class DatabaseRefusesIT {
    @RegisterExtension
    static final SharedServers SERVERS = new SharedServers();

    private final Servers servers = SERVERS.get();
    private final Sale sale = servers.sale();

    @BeforeAll
    static void start() {
        JdbcClient sql = JdbcClient.create(SERVERS.get().database);
        sql.sql("CREATE TABLE trouble (state text, times bigint)").update();
        sql.sql("INSERT INTO trouble VALUES ('00000', 0)").update();
        // A sequence counts on although the transaction is rolled back.
        sql.sql("CREATE SEQUENCE trouble_count").update();
        sql.sql("CREATE FUNCTION trouble() RETURNS trigger LANGUAGE plpgsql AS $$ DECLARE t trouble; BEGIN"
                        + " SELECT * INTO t FROM trouble;"
                        + " IF nextval('trouble_count') <= t.times THEN RAISE EXCEPTION 'trouble' USING ERRCODE = t.state;"
                        + " END IF; RETURN NEW; END $$")
                .update();
        sql.sql("CREATE TRIGGER trouble BEFORE INSERT ON interlock_event FOR EACH ROW"
                        + " WHEN (NEW.user_id = 'trouble') EXECUTE FUNCTION trouble()")
                .update();
    }

    @AfterEach
    void close() {
        sale.close();
    }

    private void refuse(String state, int times) {
        sale.sql.sql("ALTER SEQUENCE trouble_count RESTART").update();
        sale.sql
                .sql("UPDATE trouble SET state = ?, times = ?")
                .param(state)
                .param(times)
                .update();
    }

    @ParameterizedTest
    @ValueSource(strings = {"40001", "40P01", "55P03"})
    void triesAgainAtOnceWhenAnotherTransactionIsInTheWay(String state) {
        refuse(state, 4);
        sale.of(100).issue(20);
        sale.issueTo("trouble");
        sale.issue(20);
        sale.relay(Sale.QUICK);
        sale.awaitRecorded();

        sale.assertExact();
        assertThat(sale.count("SELECT last_value FROM trouble_count WHERE :pool <> ''"))
                .as("faults met")
                .isEqualTo(5);
        assertThat(sale.notes.downs).as("no alarm").hasValue(0);
        assertThat(sale.notes.poison).isEmpty();
    }

    /** Disk full, too many connections, out of memory. */
    @ParameterizedTest
    @ValueSource(strings = {"53100", "53300", "53200"})
    void keepsTheBacklogAndAlarmsOnceWhileTheDatabaseHasNoRoom(String state) {
        refuse(state, 12);
        sale.of(1_000).issueTo("trouble");
        Relay relay = sale.relay(Sale.QUICK);
        sale.awaitState(relay, State.RETRYING);
        sale.issue(200);
        await().untilAsserted(() -> assertThat(relay.status().lag()).isGreaterThan(200));
        sale.awaitRecorded();

        sale.assertExact();
        assertThat(sale.notes.downs).hasValue(1);
        await().untilAsserted(() -> assertThat(sale.notes.ups).hasValue(1));
        assertThat(sale.notes.poison).isEmpty();
    }

    @Test
    void waitsForAConnectionAndGoesOnWhenItsDataSourceIsExhausted() throws SQLException {
        sale.of(1_000);
        try (HikariDataSource one = Servers.dataSource(servers.postgres.jdbcUrl())) {
            one.setMaximumPoolSize(1);
            one.setConnectionTimeout(Duration.ofMillis(250).toMillis());
            try (Relay relay = Relay.of(sale.pool, sale.name, one, Sale.QUICK, sale.notes)) {
                try (Connection taken = one.getConnection()) {
                    assertThat(taken.isValid(1)).isTrue();
                    relay.start();
                    sale.awaitState(relay, State.RETRYING);
                    sale.issue(100);
                }
                sale.awaitRecorded();
                sale.assertExact();
                assertThat(sale.notes.downs).hasValue(1);
            }
        }
    }
}
