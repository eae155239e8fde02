// SPDX-License-Identifier: Apache-2.0
package dev.interlock.ledger;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.interlock.ledger.ReconcileResult.Consistent;
import dev.interlock.ledger.ReconcileResult.Drifted;
import dev.interlock.ledger.ReconcileResult.Lagging;
import dev.interlock.ledger.ReconcileResult.Miscounted;
import dev.interlock.pool.AdjustResult;
import dev.interlock.pool.Outbox;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

class ReconcileIT {
    private static final long MOST_LAG = 5_000;

    @RegisterExtension
    static final SharedServers SERVERS = new SharedServers();

    private final Servers servers = SERVERS.get();
    private final Sale sale = servers.sale();
    private final List<CompletableFuture<Void>> load = new ArrayList<>();
    private final AtomicBoolean loading = new AtomicBoolean(true);

    @AfterEach
    void close() {
        endLoad();
        sale.close();
    }

    /** As fast as the relay can follow: a service that sells faster for ever can only be told that it lags. */
    private void startLoad(Relay relay) {
        for (int i = 0; i < 2; i++) {
            load.add(CompletableFuture.runAsync(() -> {
                while (loading.get()) {
                    if (relay.status().lag() > MOST_LAG) {
                        LockSupport.parkNanos(1_000_000);
                    } else {
                        sale.issue(50);
                    }
                }
            }));
        }
    }

    private void endLoad() {
        loading.set(false);
        load.forEach(CompletableFuture::join);
    }

    private void alter(long units) {
        servers.commands.hincrby(sale.key("meta"), "left", units);
    }

    private long adjustments() {
        return sale.count("SELECT count(*) FROM interlock_event WHERE pool = :pool AND kind = 'ADJUSTED'");
    }

    @Test
    void raisesNoFalseAlarmUnderFullLoadAndThenOneRepairForOneDifference() {
        Relay relay = sale.of(10_000_000).relay(Sale.QUICK);
        Reconcile reconcile = sale.reconcile(RepairPolicy.REPAIR);
        startLoad(relay);
        for (int i = 0; i < 20; i++) {
            reconcile.check();
        }
        assertThat(sale.notes.checks).allMatch(result -> result instanceof Consistent || result instanceof Lagging);
        assertThat(sale.notes.checks).filteredOn(Consistent.class::isInstance).hasSizeGreaterThan(5);
        assertThat(sale.acknowledged).hasSizeGreaterThan(1_000);
        sale.notes.checks.clear();

        alter(-3);
        for (int i = 0; i < 4; i++) {
            reconcile.check();
        }
        endLoad();
        sale.awaitRecorded();
        assertThat(sale.notes.checks)
                .filteredOn(Drifted.class::isInstance)
                .singleElement()
                .satisfies(result -> {
                    assertThat(((Drifted) result).drift()).isEqualTo(-3);
                    assertThat(((Drifted) result).repair().orElseThrow()).isInstanceOf(AdjustResult.Adjusted.class);
                });
        assertThat(adjustments()).isOne();
        assertThat(sale.count("SELECT delta FROM interlock_event WHERE pool = :pool AND kind = 'ADJUSTED'"))
                .isEqualTo(3);
        assertThat(reconcile.check()).isInstanceOf(Consistent.class);
        assertThat(sale.state().available()).isEqualTo(10_000_000 - sale.ledger.recordedUnits(sale.name));
    }

    @Test
    void asksForTheRepairThatWouldAddUnitsAndMakesTheOneThatTakesThem() {
        sale.of(1_000).relay(Sale.QUICK);
        sale.issue(10);
        Reconcile reconcile = sale.reconcile(RepairPolicy.TOWARDS_LESS);

        alter(-3);
        assertThat(reconcile.check()).isEqualTo(new Drifted(1, 10, -3, Optional.empty()));
        assertThat(sale.state().available()).isEqualTo(987);

        alter(5);
        assertThat(reconcile.check()).isEqualTo(new Drifted(1, 10, 2, Optional.of(new AdjustResult.Adjusted(11, 990))));
        assertThat(reconcile.check()).isEqualTo(new Consistent(11));
        assertThat(sale.notes.checks).filteredOn(Drifted.class::isInstance).hasSize(2);
    }

    @Test
    void onlyTellsWhenThePolicySaysSo() {
        sale.of(1_000).relay(Sale.QUICK);
        alter(5);
        Reconcile reconcile = sale.reconcile(RepairPolicy.ALARM_ONLY);
        assertThat(reconcile.check()).isEqualTo(new Drifted(1, 0, 5, Optional.empty()));
        assertThat(sale.state().available()).isEqualTo(1_005);
    }

    @Test
    void repairsAgainWhenADifferenceComesBack() {
        sale.of(1_000).relay(Sale.QUICK);
        Reconcile reconcile = sale.reconcile(RepairPolicy.REPAIR);
        for (int i = 1; i <= 3; i++) {
            sale.issue(10);
            alter(-i);
            assertThat(reconcile.check())
                    .isInstanceOfSatisfying(
                            Drifted.class,
                            found -> assertThat(found.repair()).containsInstanceOf(AdjustResult.Adjusted.class));
            assertThat(reconcile.check()).isInstanceOf(Consistent.class);
            assertThat(sale.state().available()).isEqualTo(1_000 - 10L * i);
        }
    }

    @Test
    void twoAtOnceMakeOneRepair() {
        sale.of(100_000).relay(Sale.QUICK);
        for (int round = 1; round <= 10; round++) {
            sale.issue(20);
            alter(-3);
            CyclicBarrier barrier = new CyclicBarrier(3);
            List<CompletableFuture<ReconcileResult>> checks = new ArrayList<>();
            for (int i = 0; i < 3; i++) {
                checks.add(CompletableFuture.supplyAsync(
                        () -> {
                            try {
                                barrier.await();
                            } catch (Exception e) {
                                throw new IllegalStateException(e);
                            }
                            return sale.reconcile(RepairPolicy.REPAIR).check();
                        },
                        command -> new Thread(command).start()));
            }
            checks.forEach(CompletableFuture::join);
            sale.awaitRecorded();
            assertThat(adjustments()).isEqualTo(round);
            assertThat(sale.state().available()).isEqualTo(100_000 - 20L * round);
        }
    }

    @Test
    void reportsMissingRowsAsAFaultOfRecordingAndRepairsNothing() {
        sale.of(1_000).relay(Sale.QUICK);
        sale.issue(10);
        sale.awaitRecorded();
        sale.sql
                .sql("DELETE FROM interlock_event WHERE pool = :pool AND seq = 4")
                .param("pool", sale.name)
                .update();

        assertThat(sale.reconcile(RepairPolicy.REPAIR).check()).isEqualTo(new Miscounted(1, 10, 10));
        assertThat(sale.state()).satisfies(state -> {
            assertThat(state.sequence()).isEqualTo(10);
            assertThat(state.available()).isEqualTo(990);
        });
        assertThat(sale.notes.checks).containsExactly(new Miscounted(1, 10, 10));
    }

    @Test
    void findsADeltaThatSomeoneChangedInTheLedger() {
        sale.of(1_000).relay(Sale.QUICK);
        sale.issue(10);
        sale.awaitRecorded();
        sale.sql
                .sql("UPDATE interlock_event SET delta = 0 WHERE pool = :pool AND seq = 4")
                .param("pool", sale.name)
                .update();
        assertThat(sale.reconcile(RepairPolicy.ALARM_ONLY).check()).isEqualTo(new Drifted(1, 10, -1, Optional.empty()));
    }

    @Test
    void tellsApartLagFenceAndAMissingPool() {
        Reconcile reconcile = Reconcile.of(
                sale.pool,
                sale.name,
                sale.database,
                ReconcileOptions.DEFAULTS.withMaxLag(Duration.ofMillis(100)),
                sale.notes);
        assertThat(reconcile.check()).isEqualTo(new ReconcileResult.NoPool());

        sale.of(100).issue(5);
        assertThat(reconcile.check()).isEqualTo(new Lagging(5, -1));

        sale.relay(Sale.QUICK);
        sale.awaitRecorded();
        assertThat(reconcile.check()).isEqualTo(new Consistent(5));

        try (Outbox outbox = sale.pool.outbox()) {
            outbox.fence(1, "test");
            assertThat(reconcile.check()).isEqualTo(new ReconcileResult.Fenced());
        }
    }

    @Test
    void checksOnAScheduleUntilItIsClosed() {
        sale.of(100).relay(Sale.QUICK);
        Reconcile reconcile = sale.reconcile(RepairPolicy.REPAIR);
        try (Reconcile.Schedule schedule = reconcile.schedule(Duration.ofMillis(100))) {
            assertThat(schedule).isNotNull();
            await().untilAsserted(() -> assertThat(sale.notes.checks).hasSizeGreaterThan(3));
        }
        await().pollDelay(Duration.ofMillis(300)).until(() -> true);
        int checks = sale.notes.checks.size();
        await().pollDelay(Duration.ofMillis(500)).until(() -> true);
        assertThat(sale.notes.checks).hasSize(checks);
    }
}
