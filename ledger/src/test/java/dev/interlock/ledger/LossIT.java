// SPDX-License-Identifier: Apache-2.0
package dev.interlock.ledger;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.interlock.Interlock;
import dev.interlock.ledger.RelayStatus.State;
import dev.interlock.pool.IssueResult;
import dev.interlock.pool.PoolConfig;
import io.lettuce.core.XTrimArgs;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** The outbox, or the whole pool, is deleted or trimmed by someone else. */
class LossIT {
    @RegisterExtension
    static final SharedServers SERVERS = new SharedServers();

    private final Servers servers = SERVERS.get();
    private final Sale sale = servers.sale();

    @AfterEach
    void close() {
        sale.close();
    }

    @Test
    void derivesTheEventsOfAStreamThatIsDeletedUnderLoad() {
        Relay relay = sale.of(1_000_000).relay(Sale.QUICK);
        sale.issue(100);
        sale.awaitRecorded();
        new TableLock(sale).whileHeld(() -> {
            for (int i = 0; i < 10; i++) {
                sale.issue(100);
            }
            IssueResult.Issued issued = (IssueResult.Issued) sale.pool.issue("taken-back", "request");
            sale.pool.control().revoke("taken-back", issued.sequence(), "for the journal");
            servers.commands.del(sale.key("outbox"));
        });
        CompletableFuture<Void> load = CompletableFuture.runAsync(() -> {
            for (int i = 0; i < 50; i++) {
                sale.issue(100);
            }
        });
        load.join();
        sale.awaitRecorded();

        sale.assertExact();
        assertThat(sale.notes.losses).as("one alarm").hasSize(1);
        assertThat(sale.notes.unrecoverable).isEmpty();
        assertThat(sale.state().fenced()).isFalse();
        await().untilAsserted(() -> assertThat(relay.status().state()).isEqualTo(State.RECORDING));
        sale.issue(10);
        sale.awaitRecorded();
        sale.assertExact();
    }

    @Test
    void derivesTheEventsOfAStreamThatIsDeletedBeforeTheFirstContact() {
        sale.of(1_000).issue(200);
        servers.commands.del(sale.key("outbox"));
        sale.relay(Sale.QUICK);
        sale.awaitRecorded();

        sale.assertExact();
        assertThat(sale.notes.losses).containsExactly("0..200");
        assertThat(sale.state().fenced()).isFalse();
    }

    @Test
    void derivesEventsThatSomeoneTrimmed() {
        sale.of(1_000);
        for (int i = 0; i < 20; i++) {
            sale.issue(1);
        }
        servers.commands.xtrim(sale.key("outbox"), XTrimArgs.Builder.maxlen(5));
        sale.relay(Sale.QUICK);
        sale.awaitRecorded();

        sale.assertExact();
        assertThat(sale.notes.losses).containsExactly("0..20");
        await().untilAsserted(() ->
                assertThat(servers.commands.xlen(sale.key("outbox"))).isZero());
        sale.issue(5);
        sale.awaitRecorded();
        sale.assertExact();
    }

    @Test
    void twoRelaysDeriveLostEventsOnce() {
        RelayOptions noLease = Sale.QUICK.withLease(Duration.ofMillis(1));
        sale.of(100_000).relay(noLease);
        sale.relay(noLease);
        for (int i = 0; i < 5; i++) {
            sale.issue(500);
            servers.commands.del(sale.key("outbox"));
            sale.issue(500);
        }
        sale.awaitRecorded();
        await().untilAsserted(() -> assertThat(sale.state().fenced()).isFalse());
        sale.assertExact();
    }

    @Test
    void goesOnWithARebuildThatARelayDidNotFinish() {
        Relay relay = sale.of(1_000).relay(Sale.QUICK);
        sale.issue(10);
        sale.awaitRecorded();
        relay.close();
        sale.issue(10);
        servers.commands.del(sale.key("outbox"));
        servers.commands.hset(sale.key("meta"), "state", "fenced");
        sale.sql
                .sql("UPDATE interlock_position SET rebuilding = true WHERE pool = :pool")
                .param("pool", sale.name)
                .update();

        sale.relay(Sale.QUICK);
        sale.awaitRecorded();

        await().untilAsserted(() -> assertThat(sale.state().fenced()).isFalse());
        sale.assertExact();
    }

    @Test
    void staysFencedAndAlarmsOnceWhenTheClaimsAreLostToo() {
        Relay relay = sale.of(1_000).relay(Sale.QUICK);
        sale.issue(10);
        sale.awaitRecorded();
        relay.close();
        sale.issue(10);
        servers.commands.del(sale.key("outbox"), sale.key("claims"));

        Relay next = sale.relay(Sale.QUICK);
        await().atMost(Duration.ofSeconds(10))
                .untilAsserted(() -> assertThat(next.status().state()).isEqualTo(State.REBUILDING));

        assertThat(sale.state().fenced()).isTrue();
        long before = Sale.commands(servers.commands);
        await().pollDelay(Duration.ofSeconds(1)).until(() -> true);
        assertThat(Sale.commands(servers.commands) - before).as("no hot loop").isLessThan(1_000);
        assertThat(sale.notes.losses).containsExactly("11..20");
        assertThat(sale.notes.unrecoverable).containsExactly("11..20");
        assertThat(sale.ledger.recordedUnits(sale.name)).isEqualTo(10);
    }

    @Test
    void followsAPoolIntoAHigherEpoch() {
        Relay relay = sale.of(100).relay(Sale.QUICK);
        sale.issue(5);
        sale.awaitRecorded();
        deleteAll();
        sale.awaitState(relay, State.NO_POOL);
        assertThat(sale.notes.regressions).containsExactly("5>-1");

        sale.pool.create(PoolConfig.of(100).withEpoch(2));
        sale.issue(5);
        sale.awaitRecorded();

        sale.awaitState(relay, State.RECORDING);
        assertThat(sale.ledger.position(sale.name).orElseThrow().epoch()).isEqualTo(2);
        sale.assertExact();
    }

    @Test
    void refusesAUserOfAnEarlierEpochHisSecondUnit() {
        sale.of(100).relay(Sale.QUICK);
        sale.issueTo("once");
        sale.awaitRecorded();
        deleteAll();
        sale.pool.create(PoolConfig.of(100).withEpoch(2));
        sale.pool.issue("once", "another request");
        sale.awaitReturned(1);

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
        sale.awaitState(next, State.REGRESSED);

        assertThat(sale.state().fenced()).isTrue();
        long before = Sale.commands(servers.commands);
        await().pollDelay(Duration.ofSeconds(1)).until(() -> true);
        assertThat(Sale.commands(servers.commands) - before).as("no hot loop").isLessThan(1_000);
        assertThat(sale.notes.regressions).hasSize(1);
        assertThat(sale.ledger.recordedUnits(sale.name)).isEqualTo(5);
    }
}
