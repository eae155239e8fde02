// SPDX-License-Identifier: Apache-2.0
package dev.interlock.ledger;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.interlock.CorruptStateException;
import dev.interlock.Interlock;
import dev.interlock.pool.ConfirmResult;
import dev.interlock.pool.CreateResult;
import dev.interlock.pool.DropResult;
import dev.interlock.pool.HoldResult;
import dev.interlock.pool.IssueResult;
import dev.interlock.pool.Outbox;
import dev.interlock.pool.Pool;
import dev.interlock.pool.PoolConfig;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import org.junit.jupiter.api.Test;

/** What a rebuild keeps, carries over and leaves alone. */
class RebuildCasesIT extends RebuildFixture {
    @Test
    void noticesAtTheFirstCallEvenOfANewNode() {
        sale.of(100).relay(Sale.QUICK);
        sale.issue(10);
        sale.awaitRecorded();
        sale.close();
        servers.commands.flushall();
        try (Interlock fresh = Servers.connect(servers.redis.uri())) {
            Pool pool = fresh.pool(sale.name);
            assertThat(sale.ledger.remind(pool, sale.name)).isTrue();
            assertThatThrownBy(() -> pool.create(PoolConfig.of(100)))
                    .isInstanceOf(CorruptStateException.class)
                    .hasMessageContaining("went back in time");
            assertThatThrownBy(() -> pool.issue("a", "r")).isInstanceOf(CorruptStateException.class);
            assertThat(servers.commands.dbsize()).as("nothing changed").isZero();

            try (Relay relay = Relay.of(pool, sale.name, sale.database, Sale.QUICK, otherNotes)) {
                relay.start();
                await().until(() -> !otherNotes.rebuilt.isEmpty());
                assertThat(pool.create(PoolConfig.of(100))).isInstanceOf(CreateResult.Exists.class);
                assertThat(pool.issue("a", "r")).isEqualTo(new IssueResult.Issued(Restorer.NUMBERS + 1, 89));
                sale.awaitRecorded();
            }
        }
        assertConserved(100);
        assertThat(otherNotes.lost).isEmpty();
    }

    @Test
    void keepsTermsAndUnitsAndGoesOnWithTheirNumbers() {
        sale.limitPerUser = 2;
        sale.pool.create(PoolConfig.of(100).withLimitPerUser(2));
        sale.relay(Sale.QUICK);
        sale.pool.issue("a", "r1");
        sale.pool.issue("a", "r2");
        sale.pool.issue("b", "r3");
        sale.pool.control().revoke("a", 1, "taken back");
        sale.awaitRecorded();
        servers.commands.flushall();
        await().untilAsserted(() -> assertThat(sale.notes.rebuilt).hasSize(1));

        assertThat(sale.notes.rebuilt.get(0)).isEqualTo(new RebuildResult.Rebuilt(2, 4, 0, 2, 98, 0, 0));
        assertThat(sale.pool.issue("a", "r2")).isEqualTo(new IssueResult.Replayed(2));
        assertThat(sale.pool.issue("a", "r4")).isEqualTo(new IssueResult.Issued(Restorer.NUMBERS + 1, 97));
        assertThat(sale.pool.issue("a", "r5")).isEqualTo(new IssueResult.AlreadyIssued(Restorer.NUMBERS + 1));
        sale.pool.control().revoke("b", 3, "a unit of the life before");
        sale.awaitRecorded();
        assertConserved(100);
        assertThat(sale.count("SELECT revoked_by FROM interlock_event WHERE pool = :pool AND seq = 3"))
                .isEqualTo(Restorer.NUMBERS + 2);
        assertThat(rebuild(sale.pool, sale.notes).run()).isEqualTo(new RebuildResult.Current(2, Restorer.NUMBERS + 2));
        assertThat(rebuild(sale.pool, sale.notes).force()).isInstanceOf(RebuildResult.Rebuilt.class);
        assertThat(sale.pool.issue("b", "r6")).isInstanceOf(IssueResult.Issued.class);
        sale.awaitRecorded();
        assertConserved(100);
    }

    @Test
    void carriesOverWhatANodeThatKnewNothingIssuedAfterTheLoss() {
        sale.pool.create(PoolConfig.of(10));
        sale.relay(Sale.QUICK);
        sale.issueTo("first");
        sale.issueTo("second");
        sale.awaitRecorded();
        sale.close();
        servers.commands.flushall();
        try (Interlock unaware = Servers.connect(servers.redis.uri())) {
            Pool pool = unaware.pool(sale.name);
            pool.create(PoolConfig.of(10));
            pool.issue("late", "request-late");
            pool.issue("first", "another request");
            pool.issue("later", "request-later");
            pool.control().revoke("later", 3, "taken back");
        }
        sale.relay(Sale.QUICK);
        await().untilAsserted(() -> assertThat(sale.notes.rebuilt).hasSize(1));

        assertThat(sale.notes.lost).isEmpty();
        assertThat(sale.notes.rebuilt.get(0).carried())
                .as("late, later, its revocation")
                .isEqualTo(3);
        assertThat(sale.notes.rebuilt.get(0).dropped())
                .as("the second unit of first")
                .isOne();
        assertThat(sale.ledger.deadEvents(sale.name, 9)).singleElement().satisfies(dead -> {
            assertThat(dead.userId()).isEqualTo("first");
            assertThat(dead.error()).contains("limit");
        });
        sale.awaitRecorded();
        assertConserved(10);
        assertThat(sale.state().available()).isEqualTo(7);
        assertThat(sale.pool.issue("late", "request-late")).isInstanceOf(IssueResult.Replayed.class);
    }

    @Test
    void findsOutThatNumbersWereGivenAwayAlthoughTheSequenceHasPassedTheRecord() {
        sale.of(1_000).relay(Sale.QUICK);
        sale.issue(20);
        sale.awaitRecorded();
        sale.close();
        servers.commands.flushall();
        try (Interlock unaware = Servers.connect(servers.redis.uri())) {
            Pool pool = unaware.pool(sale.name);
            pool.create(PoolConfig.of(1_000));
            for (int i = 0; i < 30; i++) {
                pool.issue("after-" + i, "request-after-" + i);
                sale.acknowledged.add("request-after-" + i);
            }
        }
        sale.relay(Sale.QUICK);
        await().untilAsserted(() -> assertThat(sale.notes.rebuilt).hasSize(1));
        sale.awaitRecorded();
        assertConserved(1_000);
        assertThat(sale.state().available()).isEqualTo(950);
    }

    @Test
    void unitsOfDeadEventsThatDidNotGoBackAreInTheNextEpoch() {
        sale.sql
                .sql("ALTER TABLE interlock_event ADD CHECK (user_id NOT LIKE 'owed-%')")
                .update();
        sale.of(10);
        sale.issueTo("owed-1");
        try (Outbox outbox = sale.pool.outbox()) {
            outbox.fence(1, "test");
            sale.relay(Sale.QUICK);
            await().until(() -> !sale.notes.poison.isEmpty());
            servers.commands.flushall();
            sale.pool.state();
            await().untilAsserted(() -> assertThat(sale.notes.rebuilt).hasSize(1));
        }
        assertThat(sale.state().available()).isEqualTo(10);
        sale.issue(10);
        sale.awaitRecorded();
        assertConserved(10);
    }

    @Test
    void unitsThatWereHeldComeBackWhileConfirmedOnesAndChangedTimesStay() {
        sale.of(10).relay(Sale.QUICK);
        HoldResult.Held paid = (HoldResult.Held) sale.pool.holds().hold("a", 1, Duration.ofMinutes(5), "r1");
        HoldResult.Held open = (HoldResult.Held) sale.pool.holds().hold("b", 1, Duration.ofMinutes(5), "r2");
        sale.pool.holds().confirm(paid.id());
        Instant closes = Instant.now().plusSeconds(3_600).truncatedTo(ChronoUnit.MILLIS);
        sale.pool.control().schedule(null, closes);
        sale.awaitRecorded();
        servers.commands.flushall();
        await().untilAsserted(() -> assertThat(sale.notes.rebuilt).hasSize(1));

        assertThat(sale.state().available()).isEqualTo(9);
        assertThat(sale.pool.holds().find(open.id())).isEmpty();
        assertThat(sale.pool.holds().confirm(open.id())).isEqualTo(new ConfirmResult.UnknownHold());
        assertThat(sale.pool.issue("a", "r3")).isInstanceOf(IssueResult.AlreadyIssued.class);
        assertThat(sale.pool.control().settings().orElseThrow().closesAt()).isEqualTo(closes);
        sale.issueTo("b");
        sale.awaitRecorded();
        assertConserved(10);
    }

    @Test
    void aPoolThatWasDroppedIsNotBroughtBack() {
        Relay relay = sale.of(10).relay(Sale.QUICK);
        sale.issue(2);
        sale.pool.control().schedule(null, Instant.now().minusSeconds(1));
        sale.awaitRecorded();
        await().until(() -> sale.pool.control().drop(1) instanceof DropResult.Dropped);
        sale.awaitState(relay, RelayStatus.State.NO_POOL);
        servers.commands.flushall();
        await().untilAsserted(
                        () -> assertThat(second().issue("late", "r")).isInstanceOf(IssueResult.UnknownPool.class));
        assertThat(rebuild(sale.pool, sale.notes).force()).isEqualTo(new RebuildResult.NoRecord());
        assertThat(sale.notes.rebuilt).isEmpty();
        assertThat(sale.notes.regressions).isEmpty();
    }
}
