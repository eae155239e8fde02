// SPDX-License-Identifier: Apache-2.0
package dev.interlock.ledger;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.interlock.ledger.RelayStatus.State;
import dev.interlock.pool.ConfirmResult;
import dev.interlock.pool.CreateResult;
import dev.interlock.pool.DropResult;
import dev.interlock.pool.Hold;
import dev.interlock.pool.HoldResult;
import dev.interlock.pool.IssueResult;
import dev.interlock.pool.PoolConfig;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Holds, restocks, times and the end of a pool in its record. */
class HoldRecordIT {
    @RegisterExtension
    static final SharedServers SERVERS = new SharedServers();

    private final Servers servers = SERVERS.get();
    private final Sale sale = servers.sale();

    @AfterEach
    void close() {
        sale.close();
    }

    private HoldResult.Held hold(String user, long quantity, Duration ttl) {
        return (HoldResult.Held) sale.pool.holds().hold(user, quantity, ttl, "hold of " + user);
    }

    /** Every kind of event, some twice. */
    private HoldResult.Held everything() {
        sale.pool.create(PoolConfig.of(20).withLimitPerUser(3));
        HoldResult.Held open = hold("waits", 2, Duration.ofMinutes(5));
        sale.pool.holds().confirm(hold("buys", 3, Duration.ofMinutes(5)).id());
        sale.pool.holds().cancel(hold("leaves", 2, Duration.ofMinutes(5)).id());
        HoldResult.Held late = hold("is late", 1, Duration.ofMillis(1));
        await().until(() -> sale.pool.holds().find(late.id()).orElseThrow().status() == Hold.Status.EXPIRED);
        assertThat(sale.pool.holds().confirm(late.id())).isInstanceOf(ConfirmResult.Confirmed.class);
        sale.pool.control().restock(5, "delivery");
        sale.pool.control().schedule(null, Instant.parse("2100-01-01T00:00:00Z"));
        sale.pool.control().revoke("buys", 4, "returned");
        sale.pool.issue("direct", "request");
        return open;
    }

    private void assertRecord() {
        assertThat(sale.reconcile(RepairPolicy.ALARM_ONLY).check()).isInstanceOf(ReconcileResult.Consistent.class);
        assertThat(sale.state().available()).isEqualTo(20 - 2 - 2 - 1 + 5 - 1);
        assertThat(sale.ledger.recordedUnits(sale.name)).isEqualTo(5);
        assertThat(sale.ledger.duplicateUsers(sale.name, 3)).isZero();
        assertThat(sale.notes.poison).isEmpty();
    }

    @Test
    void recordsEachStepSoThatTheSumIsRightAndOpenHoldsAreKnown() {
        HoldResult.Held open = everything();
        sale.relay(Sale.QUICK);
        sale.awaitRecorded();

        assertRecord();
        List<Map<String, Object>> held = sale.sql
                .sql(
                        "SELECT user_id, request_id, -delta AS units, hold, deadline = :deadline AS same FROM interlock_event h"
                                + " WHERE pool = :pool AND kind = 'HELD' AND NOT EXISTS (SELECT 1 FROM interlock_event e WHERE"
                                + " e.pool = h.pool AND e.epoch = h.epoch AND e.shard = h.shard AND e.hold = h.hold AND e.seq > h.seq)")
                .param("pool", sale.name)
                .param("deadline", java.sql.Timestamp.from(open.expiresAt()))
                .query()
                .listOfRows();
        assertThat(held).hasSize(1);
        assertThat(held.get(0))
                .containsEntry("user_id", "waits")
                .containsEntry("request_id", "hold of waits")
                .containsEntry("units", 2L)
                .containsEntry("hold", open.id().substring(2))
                .containsEntry("same", true);
    }

    @Test
    void derivesHoldsWhoseEventsWereDeleted() {
        everything();
        servers.commands.del(sale.key("outbox"));
        sale.relay(Sale.QUICK);
        sale.awaitRecorded();

        assertThat(sale.notes.losses).hasSize(1);
        assertThat(sale.notes.unrecoverable).isEmpty();
        assertRecord();
        sale.pool.holds().confirm(hold("later", 1, Duration.ofMinutes(5)).id());
        sale.awaitRecorded();
        assertThat(servers.commands.zcard(sale.key("log")))
                .as("what is recorded is forgotten")
                .isLessThanOrEqualTo(2);
    }

    @Test
    void takesADroppedPoolForEndedAndRecordsItsSuccessor() {
        Relay relay = sale.of(10).relay(Sale.QUICK);
        sale.issue(4);
        sale.pool.control().schedule(null, Instant.now().minusSeconds(60));
        sale.awaitRecorded();
        await().until(() -> sale.pool.control().drop(1) instanceof DropResult.Dropped);
        sale.awaitState(relay, State.NO_POOL);
        assertThat(sale.count("SELECT sum(delta) FROM interlock_event WHERE pool = :pool"))
                .isZero();

        assertThat(sale.pool.create(PoolConfig.of(3).withEpoch(2))).isEqualTo(new CreateResult.Created());
        assertThat(sale.pool.issue("new", "request")).isEqualTo(new IssueResult.Issued(1, 2));
        sale.awaitRecorded();
        assertThat(sale.reconcile(RepairPolicy.ALARM_ONLY).check()).isEqualTo(new ReconcileResult.Consistent(1));
        assertThat(sale.notes.regressions).isEmpty();
        assertThat(sale.notes.losses).isEmpty();
    }
}
