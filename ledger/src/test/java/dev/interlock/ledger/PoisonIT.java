// SPDX-License-Identifier: Apache-2.0
package dev.interlock.ledger;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.interlock.ledger.RelayStatus.State;
import dev.interlock.pool.Outbox;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.springframework.jdbc.core.simple.JdbcClient;

/** Events that the database refuses, and entries that no pool wrote. */
class PoisonIT {
    @RegisterExtension
    static final SharedServers SERVERS = new SharedServers();

    private final Servers servers = SERVERS.get();
    private final Sale sale = servers.sale();

    @BeforeAll
    static void start() {
        JdbcClient sql = JdbcClient.create(SERVERS.get().database);
        sql.sql("ALTER TABLE interlock_event ADD CHECK (user_id NOT LIKE 'refused-%')")
                .update();
        sql.sql("CREATE FUNCTION refuse() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN"
                        + " RAISE EXCEPTION 'refused at commit' USING ERRCODE = '23514'; END $$")
                .update();
        sql.sql(
                        "CREATE CONSTRAINT TRIGGER refuse AFTER INSERT ON interlock_event"
                                + " DEFERRABLE INITIALLY DEFERRED FOR EACH ROW WHEN (NEW.user_id LIKE 'deferred-%') EXECUTE FUNCTION refuse()")
                .update();
    }

    @AfterEach
    void close() {
        sale.close();
    }

    @Test
    void setsRefusedEventsAsideReturnsTheirUnitsOnceAndRecordsTheRest() {
        sale.of(2_000).issue(500);
        sale.issueTo("refused-1");
        sale.issue(300);
        sale.issueTo("refused-2");
        sale.issueTo("refused-3");
        sale.relay(Sale.QUICK);
        sale.awaitRecorded();
        sale.issue(200);
        sale.awaitReturned(3);

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
        sale.issueTo("deferred-1");
        sale.issue(100);
        sale.relay(Sale.QUICK);
        sale.awaitReturned(1);

        sale.awaitRecorded();
        sale.assertExact();
        assertThat(sale.state().available()).isEqualTo(1_400);
        assertThat(sale.notes.poison).hasSize(1);
        assertThat(sale.ledger.recordedUnits(sale.name)).isEqualTo(600);
    }

    @Test
    void returnsAUnitLaterAndNotAgainWhenItCouldNotAtOnce() {
        sale.of(10);
        sale.issueTo("refused-1");
        try (Outbox outbox = sale.pool.outbox()) {
            outbox.fence(1, "test");
            Relay first = sale.relay(Sale.QUICK);
            sale.awaitRecorded();
            first.close();
            assertThat(sale.state().available()).isEqualTo(9);
            outbox.unfence(1, "test");
        }
        Relay second = sale.relay(Sale.QUICK);
        sale.awaitReturned(1);
        second.close();
        assertThat(sale.state().available()).isEqualTo(10);

        // As if the relay had died after the revocation and before its note.
        sale.sql
                .sql("UPDATE interlock_dead_event SET unit_returned = false WHERE pool = :pool")
                .param("pool", sale.name)
                .update();
        sale.relay(Sale.QUICK);
        sale.awaitReturned(1);
        sale.awaitRecorded();
        assertThat(sale.state().available()).isEqualTo(10);
        sale.assertExact();
    }

    @Test
    void stopsFencesAndAlarmsOnceWhenTheDatabaseRefusesEverythingAndGoesOnWhenItDoesNot() {
        sale.sql
                .sql("ALTER TABLE interlock_event ADD CONSTRAINT nobody CHECK (user_id NOT LIKE 'user-%') NOT VALID")
                .update();
        Relay relay;
        try {
            sale.of(1_000).issue(300);
            relay = sale.relay(Sale.QUICK.withMaxDead(20));
            sale.awaitState(relay, State.REFUSED);
            assertThat(sale.notes.poison).hasSize(20);
            assertThat(sale.state().fenced()).isTrue();
            assertThat(sale.notes.refusals)
                    .singleElement()
                    .satisfies(error -> assertThat(error).hasMessageContaining("nobody"));
            relay.close();
            relay = sale.relay(Sale.QUICK.withMaxDead(20));
            sale.awaitState(relay, State.REFUSED);
            assertThat(sale.notes.poison).as("the next relay knows").hasSize(20);
        } finally {
            sale.sql.sql("ALTER TABLE interlock_event DROP CONSTRAINT nobody").update();
        }
        sale.awaitState(relay, State.RECORDING);
        await().untilAsserted(() -> assertThat(sale.state().fenced()).isFalse());
        await().atMost(Duration.ofSeconds(20))
                .untilAsserted(() -> assertThat(sale.count(
                                "SELECT count(*) FROM interlock_dead_event" + " WHERE pool = :pool AND unit_returned"))
                        .isEqualTo(20));
        sale.awaitRecorded();
        assertThat(sale.notes.poison).hasSize(20);
        assertThat(sale.ledger.recordedUnits(sale.name)).isEqualTo(280);
        assertThat(sale.state().available()).isEqualTo(720);
        assertThat(sale.reconcile(RepairPolicy.REPAIR).check()).isInstanceOf(ReconcileResult.Consistent.class);
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
}
