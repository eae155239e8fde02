// SPDX-License-Identifier: Apache-2.0
package dev.interlock.ledger;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.interlock.Interlock;
import dev.interlock.embedded.RedisServer;
import dev.interlock.ledger.RelayStatus.State;
import dev.interlock.pool.IssueResult;
import dev.interlock.pool.Outbox;
import dev.interlock.pool.PoolConfig;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.springframework.jdbc.core.simple.JdbcClient;

class RelayIT {
    private static Servers servers;
    private final Sale sale = servers.sale();

    @BeforeAll
    static void start() {
        servers = new Servers(RedisServer.builder());
        JdbcClient sql = JdbcClient.create(servers.database);
        sql.sql("ALTER TABLE interlock_event ADD CHECK (user_id NOT LIKE 'refused-%')")
                .update();
        sql.sql("CREATE FUNCTION refuse() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN"
                        + " IF NEW.user_id LIKE 'deferred-%' THEN RAISE EXCEPTION 'refused at commit'"
                        + " USING ERRCODE = '23514'; END IF; RETURN NULL; END $$")
                .update();
        sql.sql("CREATE CONSTRAINT TRIGGER refuse AFTER INSERT ON interlock_event"
                        + " DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION refuse()")
                .update();
    }

    @AfterAll
    static void stop() {
        servers.close();
    }

    @AfterEach
    void close() {
        sale.close();
    }

    private void awaitState(Relay relay, State state) {
        await().atMost(Duration.ofSeconds(10))
                .untilAsserted(() -> assertThat(relay.status().state()).isEqualTo(state));
    }

    private IssueResult.Issued issueTo(String user) {
        return (IssueResult.Issued) sale.pool.issue(user, "request-" + user);
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
        awaitState(relay, State.NO_POOL);

        sale.of(10).issue(3);

        sale.awaitRecorded();
        sale.assertExact();
    }

    @Test
    void keepsWhatIdsAndNotesSay() {
        sale.of(10);
        String user = "1760000000000000001 'x\\\"{},\u00e9\ud83d\ude00";
        long sequence = ((IssueResult.Issued) sale.pool.issue(user, "request-1")).sequence();
        sale.pool.revoke(user, sequence, "it's \"wrong\", {really}");
        assertThat(issueTo("00017").sequence()).isEqualTo(3);
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
            sale.pool.revoke("again", issued.sequence(), "round " + round);
        }
        sale.relay(Sale.QUICK);
        sale.awaitRecorded();
        long sequence = ((IssueResult.Issued) sale.pool.issue("again", "later")).sequence();
        sale.awaitRecorded();
        sale.pool.revoke("again", sequence, "later");
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
    void setsRefusedEventsAsideReturnsTheirUnitsOnceAndRecordsTheRest() {
        sale.of(2_000).issue(500);
        issueTo("refused-1");
        sale.issue(300);
        issueTo("refused-2");
        issueTo("refused-3");
        sale.relay(Sale.QUICK);
        sale.awaitRecorded();
        sale.issue(200);
        awaitReturned(3);

        sale.awaitRecorded();
        sale.assertExact();
        assertThat(sale.state().available()).isEqualTo(1_000);
        assertThat(sale.notes.poison)
                .extracting(DeadEvent::userId)
                .containsExactly("refused-1", "refused-2", "refused-3");
        assertThat(sale.ledger.deadEvents(sale.name, 10)).allSatisfy(dead -> {
            assertThat(dead.error()).startsWith("23514");
            assertThat(dead.payload()).contains("request-refused-");
        });
        assertThat(sale.count("SELECT count(*) FROM interlock_event WHERE pool = :pool AND kind = 'REVOKED'"))
                .isEqualTo(3);
        assertThat(sale.reconcile(RepairPolicy.REPAIR).check()).isInstanceOf(ReconcileResult.Consistent.class);
    }

    @Test
    void setsAnEventAsideThatIsRefusedAtCommit() {
        sale.of(2_000).issue(500);
        issueTo("deferred-1");
        sale.issue(100);
        sale.relay(Sale.QUICK);
        awaitReturned(1);

        sale.awaitRecorded();
        sale.assertExact();
        assertThat(sale.state().available()).isEqualTo(1_400);
        assertThat(sale.notes.poison).hasSize(1);
        assertThat(sale.ledger.recordedUnits(sale.name)).isEqualTo(600);
    }

    private void awaitReturned(int units) {
        await().atMost(Duration.ofSeconds(20))
                .untilAsserted(() -> assertThat(sale.ledger.deadEvents(sale.name, 10))
                        .filteredOn(dead -> Boolean.TRUE.equals(dead.unitReturned()))
                        .hasSize(units));
    }

    @Test
    void returnsAUnitLaterAndNotAgainWhenItCouldNotAtOnce() {
        sale.of(10);
        issueTo("refused-1");
        try (Outbox outbox = sale.pool.outbox()) {
            outbox.fence(1);
            Relay first = sale.relay(Sale.QUICK);
            sale.awaitRecorded();
            first.close();
            assertThat(sale.state().available()).isEqualTo(9);
            outbox.unfence(1);
        }
        Relay second = sale.relay(Sale.QUICK);
        awaitReturned(1);
        second.close();
        assertThat(sale.state().available()).isEqualTo(10);

        // As if the relay had died after the revocation and before its note.
        sale.sql
                .sql("UPDATE interlock_dead_event SET unit_returned = false WHERE pool = :pool")
                .param("pool", sale.name)
                .update();
        sale.relay(Sale.QUICK);
        awaitReturned(1);
        sale.awaitRecorded();
        assertThat(sale.state().available()).isEqualTo(10);
        sale.assertExact();
    }

    @Test
    void setsUnreadableEntriesAsideWithoutASequence() {
        sale.of(10).issue(2);
        servers.commands.xadd(sale.key("outbox"), Map.of("who", "a stranger\0"));
        sale.issue(2);
        servers.commands.xadd(sale.key("outbox"), Map.of("h", "I 1 x y"));
        sale.relay(Sale.QUICK);
        sale.awaitRecorded();
        await().untilAsserted(() -> assertThat(sale.notes.poison).hasSize(2));
        sale.issue(2);
        sale.awaitRecorded();

        sale.assertExact();
        assertThat(sale.ledger.deadEvents(sale.name, 10)).hasSize(2).allSatisfy(dead -> {
            assertThat(dead.sequence()).isNull();
            assertThat(dead.unitReturned()).isNull();
        });
        assertThat(sale.ledger.deadEvents(sale.name, 1).get(0).payload()).contains("a stranger\\0");
        await().untilAsserted(() ->
                assertThat(servers.commands.xlen(sale.key("outbox"))).isZero());
    }

    @Test
    void twoRelaysRecordEachEventOnce() {
        twoRelays(Sale.QUICK);
        assertThat(sale.notes.losses).isEmpty();
    }

    @Test
    void twoRelaysRecordEachEventOnceAlthoughTheLeaseIsAlwaysOver() {
        twoRelays(Sale.QUICK.withLease(Duration.ofMillis(1)).withBatchEvents(3));
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
    }

    @Test
    void standsByWhileAnotherWorksAndTakesOverWhenItCloses() {
        Relay first = sale.of(100).relay(Sale.QUICK);
        sale.issue(1);
        sale.awaitRecorded();
        Relay second = sale.relay(Sale.QUICK);
        awaitState(second, State.STANDBY);

        first.close();

        awaitState(second, State.RECORDING);
        assertThat(first.status().state()).isEqualTo(State.STOPPED);
        sale.issue(5);
        sale.awaitRecorded();
        sale.assertExact();
    }

    @Test
    void followsAPoolIntoAHigherEpoch() {
        Relay relay = sale.of(100).relay(Sale.QUICK);
        sale.issue(5);
        sale.awaitRecorded();
        deleteAll();
        awaitState(relay, State.NO_POOL);
        assertThat(sale.notes.regressions).containsExactly("5>-1");

        sale.pool.create(PoolConfig.of(100).withEpoch(2));
        sale.issue(5);
        sale.awaitRecorded();

        awaitState(relay, State.RECORDING);
        assertThat(sale.ledger.position(sale.name).orElseThrow().epoch()).isEqualTo(2);
        sale.assertExact();
    }

    @Test
    void refusesAUserOfAnEarlierEpochHisSecondUnit() {
        sale.of(100).relay(Sale.QUICK);
        issueTo("once");
        sale.awaitRecorded();
        deleteAll();
        sale.pool.create(PoolConfig.of(100).withEpoch(2));
        sale.pool.issue("once", "another request");
        awaitReturned(1);

        sale.awaitRecorded();
        assertThat(sale.state().available()).isEqualTo(100);
        assertThat(sale.ledger.duplicateUsers(sale.name, 1)).isZero();
        assertThat(sale.ledger.recordedUnits(sale.name)).isOne();
    }

    private void deleteAll() {
        servers.commands.del(
                sale.key("meta"), sale.key("claims"), sale.key("outbox"), sale.key("journal"), sale.key("version"));
    }

    @Test
    void fencesAPoolThatWentBackInTimeAndAlarmsOnce() {
        Relay relay = sale.of(100).relay(Sale.QUICK);
        sale.issue(5);
        sale.awaitRecorded();
        relay.close();
        deleteAll();
        try (Interlock other = Servers.connect(servers.redis.uri())) {
            // This node would notice itself; another one that was never there before cannot.
            other.pool(sale.name).create(PoolConfig.of(100));
            other.pool(sale.name).issue("late", "request-late");
        }

        Relay next = sale.relay(Sale.QUICK);
        awaitState(next, State.REGRESSED);

        assertThat(sale.state().fenced()).isTrue();
        long before = Sale.commands(servers.commands);
        await().pollDelay(Duration.ofSeconds(1)).until(() -> true);
        assertThat(Sale.commands(servers.commands) - before).as("no hot loop").isLessThan(1_000);
        assertThat(sale.notes.regressions).hasSize(1);
        assertThat(sale.ledger.recordedUnits(sale.name)).isEqualTo(5);
    }
}
