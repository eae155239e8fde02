// SPDX-License-Identifier: Apache-2.0
package dev.interlock.ledger;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.zaxxer.hikari.HikariDataSource;
import dev.interlock.ledger.RelayStatus.State;
import dev.interlock.pool.IssueResult;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.springframework.jdbc.core.simple.JdbcClient;

class RelayIT {
    @RegisterExtension
    static final SharedServers SERVERS = new SharedServers();

    private final Servers servers = SERVERS.get();
    private final Sale sale = servers.sale();

    @BeforeAll
    static void start() {
        JdbcClient sql = JdbcClient.create(SERVERS.get().database);
        sql.sql("CREATE FUNCTION dawdle() RETURNS trigger LANGUAGE plpgsql AS"
                        + " $$ BEGIN PERFORM pg_sleep(0.001); RETURN NEW; END $$")
                .update();
        sql.sql("CREATE TRIGGER dawdle BEFORE INSERT ON interlock_event FOR EACH ROW"
                        + " WHEN (NEW.user_id LIKE 'slow-%') EXECUTE FUNCTION dawdle()")
                .update();
    }

    @AfterEach
    void close() {
        sale.close();
    }

    @Test
    void recordsEveryEventOnceAndTrimsBehind() {
        Relay relay = sale.of(5_000).relay(Sale.QUICK);
        for (int i = 0; i < 10; i++) {
            sale.issue(300);
        }
        sale.awaitRecorded();

        sale.assertExact();
        assertThat(sale.ledger.recordedUnits(sale.name)).isEqualTo(3_000);
        await().untilAsserted(() ->
                assertThat(servers.commands.xlen(sale.key("outbox"))).isZero());
        assertThat(sale.notes.recorded).hasValue(3_001);
        await().untilAsserted(() -> assertThat(relay.status()).isEqualTo(new RelayStatus(State.RECORDING, 3_000, 0)));
        sale.issue(1);
        sale.awaitRecorded();
    }

    @Test
    void waitsForAPoolThatIsCreatedLater() {
        Relay relay = sale.relay(Sale.QUICK);
        sale.awaitState(relay, State.NO_POOL);

        sale.of(10).issue(3);

        sale.awaitRecorded();
        sale.assertExact();
    }

    @Test
    void keepsWhatIdsAndNotesSay() {
        sale.of(10);
        String user = "1760000000000000001 'x\\\"{},\u00e9\ud83d\ude00";
        long sequence = ((IssueResult.Issued) sale.pool.issue(user, "request-1")).sequence();
        sale.pool.control().revoke(user, sequence, "it's \"wrong\", {really}");
        assertThat(sale.issueTo("00017").sequence()).isEqualTo(3);
        sale.relay(Sale.QUICK);
        sale.awaitRecorded();

        Map<String, Object> row = sale.sql
                .sql("SELECT i.user_id, i.request_id, i.nth, i.issue_seq, r.issue_seq AS revoked, r.note, r.delta,"
                        + " r.occurred_at > now() - interval '1 minute' AS fresh FROM interlock_event i"
                        + " JOIN interlock_event r ON r.pool = i.pool AND r.seq = i.revoked_by WHERE i.pool = :pool")
                .param("pool", sale.name)
                .query()
                .singleRow();
        assertThat(row)
                .containsEntry("user_id", user)
                .containsEntry("request_id", "request-1")
                .containsEntry("nth", 1)
                .containsEntry("issue_seq", 1L)
                .containsEntry("revoked", 1L)
                .containsEntry("note", "it's \"wrong\", {really}")
                .containsEntry("delta", 1L)
                .containsEntry("fresh", true);
        assertThat(sale.count("SELECT count(*) FROM interlock_event WHERE pool = :pool AND user_id = '00017'"))
                .isOne();
    }

    @Test
    void letsAUnitBeIssuedAgainAfterARevocationInTheSameBatchOrALaterOne() {
        sale.of(10);
        for (int round = 0; round < 3; round++) {
            IssueResult.Issued issued = (IssueResult.Issued) sale.pool.issue("again", "round-" + round);
            sale.pool.control().revoke("again", issued.sequence(), "round " + round);
        }
        sale.relay(Sale.QUICK);
        sale.awaitRecorded();
        long sequence = ((IssueResult.Issued) sale.pool.issue("again", "later")).sequence();
        sale.awaitRecorded();
        sale.pool.control().revoke("again", sequence, "later");
        sale.awaitRecorded();
        sale.pool.issue("again", "last");
        sale.awaitRecorded();

        sale.assertExact();
        assertThat(sale.notes.poison).isEmpty();
        assertThat(sale.count("SELECT count(*) FROM interlock_event WHERE pool = :pool AND kind = 'ISSUED'"
                        + " AND revoked_by IS NULL"))
                .isOne();
    }

    @Test
    void recordsExactlyTheStockHoweverManyAskAndAskAgain() {
        sale.of(10).relay(Sale.QUICK);
        List<CompletableFuture<IssueResult>> calls = new ArrayList<>();
        for (int i = 0; i < 100; i++) {
            String user = "user-" + i / 2;
            calls.add(sale.pool.async().issue(user, "request-" + user).toCompletableFuture());
        }
        assertThat(calls.stream().map(CompletableFuture::join))
                .filteredOn(IssueResult.Issued.class::isInstance)
                .hasSize(10);
        sale.awaitRecorded();

        sale.assertExact();
        assertThat(sale.ledger.recordedUnits(sale.name)).isEqualTo(10);
    }

    @Test
    void getsOnWithinTheTimeoutWhenTheDatabaseIsTooSlowForWholeBatches() {
        sale.of(1_000);
        List<CompletableFuture<IssueResult>> calls = new ArrayList<>();
        for (int i = 0; i < 600; i++) {
            calls.add(sale.pool.async().issue("slow-" + i, "request-" + i).toCompletableFuture());
        }
        calls.forEach(CompletableFuture::join);

        sale.relay(Sale.QUICK.withTimeout(Duration.ofMillis(300)));
        sale.awaitRecorded();

        sale.assertExact();
        assertThat(sale.notes.downs.get()).as("batches that took too long").isPositive();
    }

    @Test
    void migratesBesideOtherTablesAndOnlyOnce() {
        JdbcClient sql = JdbcClient.create(servers.database);
        sql.sql("CREATE SCHEMA shop").update();
        sql.sql("CREATE TABLE shop.article (id int)").update();
        try (HikariDataSource shop = Servers.dataSource(servers.postgres.jdbcUrl() + "&currentSchema=shop")) {
            LedgerSchema.migrate(shop);
            LedgerSchema.migrate(shop);
            assertThat(Ledger.of(shop).position("none")).isEmpty();
        }
        assertThat(sql.sql("SELECT count(*) FROM shop.interlock_schema_history WHERE success AND version = '1'")
                        .query(Long.class)
                        .single())
                .isOne();
    }

    @Test
    void twoRelaysRecordEachEventOnce() {
        twoRelays(Sale.QUICK);
        assertThat(sale.notes.losses).isEmpty();
    }

    @Test
    void twoRelaysRecordEachEventOnceAlthoughTheLeaseIsAlwaysOver() {
        twoRelays(Sale.QUICK.withLease(Duration.ofMillis(1)).withBatchEvents(20));
        assertThat(sale.notes.losses).isEmpty();
        assertThat(sale.notes.regressions).isEmpty();
    }

    private void twoRelays(RelayOptions options) {
        sale.of(100_000).relay(options);
        sale.relay(options);
        for (int i = 0; i < 60; i++) {
            sale.issue(100);
        }
        sale.awaitRecorded();
        sale.assertExact();
        assertThat(sale.notes.recorded).hasValue(6_001);
        // The primary key would stop the second one too, but only after work in vain.
        assertThat(sale.notes.downs).hasValue(0);
    }

    @Test
    void standsByWhileAnotherWorksAndTakesOverWhenItCloses() {
        Relay first = sale.of(100).relay(Sale.QUICK);
        sale.issue(1);
        sale.awaitRecorded();
        Relay second = sale.relay(Sale.QUICK);
        sale.awaitState(second, State.STANDBY);

        first.close();

        sale.awaitState(second, State.RECORDING);
        assertThat(first.status().state()).isEqualTo(State.STOPPED);
        sale.issue(5);
        sale.awaitRecorded();
        sale.assertExact();
    }
}
