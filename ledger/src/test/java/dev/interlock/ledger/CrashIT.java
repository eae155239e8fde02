// SPDX-License-Identifier: Apache-2.0
package dev.interlock.ledger;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.interlock.embedded.RedisServer;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;

/** A process that issues and records is killed with {@code kill -9}. */
class CrashIT {
    private static final int KILLS = 12;

    @AutoClose
    private static final Servers servers = new Servers(RedisServer.builder().appendOnly());

    private final Sale sale = servers.sale().of(10_000_000);
    private final List<String> alarms = new CopyOnWriteArrayList<>();

    @AfterEach
    void close() {
        sale.close();
    }

    /** Another JVM; what it acknowledges is noted as it comes. */
    private final class Issuer {
        private final Process process;
        private final Thread reader;
        private final AtomicInteger answers = new AtomicInteger();

        Issuer(String users) throws IOException {
            process = Jvm.start(
                    IssuerMain.class,
                    servers.redis.uri(),
                    servers.postgres.jdbcUrl() + "&socketTimeout=5",
                    sale.name,
                    users);
            reader = new Thread(this::read);
            reader.start();
        }

        private void read() {
            try (BufferedReader lines =
                    new BufferedReader(new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8))) {
                for (String line = lines.readLine(); line != null; line = lines.readLine()) {
                    if (line.endsWith(".")) { // a line that was cut by the kill is no acknowledgement
                        sale.acknowledged.add(line.substring(0, line.length() - 1));
                        answers.incrementAndGet();
                    } else if (line.endsWith("!")) {
                        alarms.add(line);
                    }
                }
            } catch (IOException e) {
                // The pipe ended with the process.
            }
        }

        void awaitAnswers(int count) {
            await().atMost(Duration.ofSeconds(30))
                    .pollInterval(Duration.ofMillis(5))
                    .until(() -> {
                        assertThat(process.isAlive()).isTrue();
                        return answers.get() >= count;
                    });
        }

        void kill() throws InterruptedException {
            process.destroyForcibly();
            assertThat(process.waitFor(10, TimeUnit.SECONDS)).isTrue();
            reader.join(10_000);
        }
    }

    @Test
    void everyAcknowledgedUnitIsOneRowAfterKillsAtRandomMoments() throws Exception {
        long seed = System.nanoTime();
        System.out.println("CrashIT seed " + seed);
        Random random = new Random(seed);
        for (int kill = 0; kill < KILLS; kill++) {
            long before = sale.ledger.recordedUnits(sale.name);
            Issuer issuer = new Issuer("round-" + kill);
            issuer.awaitAnswers(1 + random.nextInt(600));
            if (kill % 2 == 0) { // else it may die before its relay has begun
                await().atMost(Duration.ofSeconds(30)).until(() -> sale.ledger.recordedUnits(sale.name) > before);
            }
            await().pollDelay(Duration.ofMillis(random.nextInt(300))).until(() -> true);
            issuer.kill();
        }
        sale.relay(Sale.QUICK);
        sale.awaitRecorded();

        sale.assertExact();
        assertThat(alarms).isEmpty();
        assertThat(sale.notes.losses).isEmpty();
        assertThat(sale.notes.poison).isEmpty();
        assertThat(sale.reconcile(RepairPolicy.REPAIR).check()).isInstanceOf(ReconcileResult.Consistent.class);
    }

    @Test
    void whatADyingRelayHadReadAndNotCommittedIsRecordedByTheNext() throws Exception {
        Relay first = sale.relay(Sale.QUICK);
        sale.issue(1);
        sale.awaitRecorded();
        first.close();
        for (int i = 0; i < 1_000; i++) {
            sale.issue(1);
        }
        TableLock lock = new TableLock(sale);
        lock.whileHeld(() -> {
            try {
                Issuer issuer = new Issuer("-");
                lock.awaitWaiter();
                issuer.kill();
            } catch (IOException | InterruptedException e) {
                throw new IllegalStateException(e);
            }
        });
        assertThat(sale.ledger.position(sale.name).orElseThrow().sequence()).isOne();

        sale.relay(Sale.QUICK);
        sale.awaitRecorded();
        sale.assertExact();
        assertThat(sale.ledger.recordedUnits(sale.name)).isEqualTo(1_001);
    }

    /** A tenth of what a heap of eight times the size was tried with by hand. */
    @Test
    void recordsABacklogAndRebuildsFromItInALittleHeap() throws Exception {
        Process process = Jvm.start(64, BacklogMain.class, "100000");
        String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(process.waitFor()).as(said).isZero();
        assertThat(said).contains("users=100000, left=10");
    }
}
