// SPDX-License-Identifier: Apache-2.0
package dev.interlock.ledger;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.zaxxer.hikari.HikariDataSource;
import dev.interlock.embedded.FaultProxy;
import dev.interlock.embedded.RedisServer;
import dev.interlock.ledger.RelayStatus.State;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Random;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;

/** PostgreSQL stops, crashes, hangs, or loses the reply to a COMMIT, always under load. */
class DatabaseFaultIT {
    private static final int UNITS_AT_ONCE = 20;

    @AutoClose
    private static final Servers servers = new Servers(RedisServer.builder());

    private final Sale sale = servers.sale().of(10_000_000);
    private final ScheduledExecutorService load = Executors.newSingleThreadScheduledExecutor();

    @AfterEach
    void close() {
        load.shutdownNow();
        sale.close();
    }

    private void startLoad() {
        load.scheduleAtFixedRate(() -> sale.issue(UNITS_AT_ONCE), 0, 20, TimeUnit.MILLISECONDS);
    }

    private void assertAllRecorded() throws InterruptedException {
        load.shutdown();
        assertThat(load.awaitTermination(20, TimeUnit.SECONDS)).isTrue();
        sale.awaitRecorded(Duration.ofSeconds(60));
        sale.assertExact();
        assertThat(sale.notes.losses).isEmpty();
        assertThat(sale.notes.poison).isEmpty();
    }

    private static void pass(Duration time) {
        await().pollDelay(time).atMost(time.plusSeconds(5)).until(() -> true);
    }

    @Test
    void losesAndDoublesNothingWhenTheDatabaseIsStoppedForThirtySeconds() throws Exception {
        Relay relay = sale.relay(Sale.QUICK);
        startLoad();
        await().until(() -> relay.status().recorded() > 200);

        servers.postgres.stop();
        pass(Duration.ofSeconds(30));

        assertThat(relay.status().state()).isEqualTo(State.RETRYING);
        assertThat(relay.status().lag()).as("back-pressure sees the lag").isGreaterThan(1_000);
        assertThat(sale.notes.downs).hasValue(1);
        assertThat(sale.notes.ups).hasValue(0);
        servers.postgres.restart();
        assertAllRecorded();
        assertThat(sale.notes.downs).hasValueBetween(1, 2); // a database that starts may refuse once more
        await().untilAsserted(() -> assertThat(sale.notes.ups).hasValue(sale.notes.downs.get()));
    }

    @Test
    void losesAndDoublesNothingWhenTheDatabaseIsKilled() throws Exception {
        long seed = System.nanoTime();
        System.out.println("DatabaseFaultIT seed " + seed);
        Random random = new Random(seed);
        Relay relay = sale.relay(Sale.QUICK);
        startLoad();
        for (int i = 0; i < 4; i++) {
            long reached = relay.status().recorded();
            await().atMost(Duration.ofSeconds(30)).until(() -> relay.status().recorded() > reached + 50);
            pass(Duration.ofMillis(random.nextInt(300)));
            servers.postgres.kill();
            servers.postgres.restart();
        }
        assertAllRecorded();
        assertThat(sale.notes.downs.get()).as("faults met").isPositive();
    }

    @Test
    void noticesADatabaseThatHangsAndGoesOnAfterIt() throws Exception {
        Relay relay = sale.relay(Sale.QUICK);
        startLoad();
        await().until(() -> relay.status().recorded() > 200);

        servers.postgres.pause();
        try {
            await().atMost(Duration.ofSeconds(10))
                    .untilAsserted(() -> assertThat(relay.status().state()).isEqualTo(State.RETRYING));
        } finally {
            servers.postgres.resume();
        }
        assertAllRecorded();
        assertThat(sale.notes.downs.get()).as("faults met").isPositive();
    }

    @Test
    void recordsOnceWhenTheReplyToACommitIsLost() throws Exception {
        try (FaultProxy proxy = FaultProxy.to(servers.postgres.port());
                HikariDataSource through = Servers.dataSource("jdbc:postgresql://127.0.0.1:" + proxy.port()
                        + "/postgres?user=postgres&socketTimeout=2&prepareThreshold=0")) {
            Notes notes = new Notes();
            try (Relay relay = Relay.of(sale.pool, sale.name, through, Sale.QUICK, notes)) {
                relay.start();
                startLoad();
                for (FaultProxy.Mode mode : new FaultProxy.Mode[] {
                    FaultProxy.Mode.DROP_REPLY_THEN_CUT,
                    FaultProxy.Mode.DROP_REPLY_THEN_FIN,
                    FaultProxy.Mode.BLACKHOLE_REPLIES,
                    FaultProxy.Mode.CUT_BEFORE_REQUEST
                }) {
                    for (int i = 0; i < 3; i++) {
                        long faults = proxy.faults();
                        proxy.onceWhen(
                                mode, request -> new String(request, StandardCharsets.ISO_8859_1).contains("COMMIT"));
                        await().atMost(Duration.ofSeconds(15)).until(() -> proxy.faults() > faults);
                    }
                }
                assertAllRecorded();
                assertThat(notes.losses).isEmpty();
                assertThat(proxy.faults()).as("faults met").isEqualTo(12);
            }
        }
    }

    @Test
    void waitsForALockedTableAndGoesOn() throws Exception {
        Relay relay = sale.relay(Sale.QUICK.withTimeout(Duration.ofMillis(500)));
        startLoad();
        await().until(() -> relay.status().recorded() > 200);
        new TableLock(sale)
                .whileHeld(() -> await().atMost(Duration.ofSeconds(10))
                        .untilAsserted(() -> assertThat(relay.status().state()).isEqualTo(State.RETRYING)));
        assertAllRecorded();
    }
}
