// SPDX-License-Identifier: Apache-2.0
package dev.interlock.ledger;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.interlock.embedded.RedisServer;
import dev.interlock.pool.Outbox;
import io.lettuce.core.RedisClient;
import io.lettuce.core.api.sync.RedisCommands;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

/** Redis went back in time: what is recorded is kept, nothing is sold twice, and what is lost is told by number. */
class RebuildIT extends RebuildFixture {
    private static final long UNITS = 1_000_000;

    @FunctionalInterface
    private interface Disaster {
        void strike() throws Exception;
    }

    /** Load on two nodes, each with a relay, while Redis loses memory several times. */
    private void survives(int times, Disaster disaster) throws Exception {
        sale.of(UNITS).relay(Sale.QUICK);
        try (Relay other = Relay.of(second(), sale.name, sale.database, Sale.QUICK, otherNotes)) {
            other.start();
            sale.awaitRecorded(); // of a pool that was never recorded nothing can be rebuilt
            Rush rush = new Rush(sale.pool, second());
            try (rush) {
                for (int i = 0; i < times; i++) {
                    int before = rush.answers();
                    await().atMost(Duration.ofSeconds(20)).until(() -> rush.answers() > before + 500);
                    int epochs = rebuilds();
                    int told = rush.rebuilding.get();
                    disaster.strike();
                    await().atMost(Duration.ofSeconds(20)).until(() -> rebuilds() > epochs);
                    assertThat(rush.rebuilding.get()).as("callers were told").isGreaterThan(told);
                }
                int before = rush.answers();
                await().atMost(Duration.ofSeconds(20)).until(() -> rush.answers() > before + 100);
            }
            sale.awaitRecorded();
            assertConserved(UNITS);
            assertLossesAreTold(rush);
            assertThat(sale.notes.poison).isEmpty();
            assertThat(otherNotes.poison).isEmpty();
        }
    }

    private int rebuilds() {
        return sale.notes.rebuilt.size() + otherNotes.rebuilt.size();
    }

    /** What was acknowledged is recorded or told to be lost, and what is told to be lost is not recorded. */
    private void assertLossesAreTold(Rush rush) {
        Set<Long> told = new HashSet<>(sale.notes.lost);
        for (Long number : otherNotes.lost) {
            assertThat(told.add(number)).as("told by one node only: " + number).isTrue();
        }
        List<String> requests = sale.sql
                .sql("SELECT request_id FROM interlock_event WHERE pool = :pool AND kind = 'ISSUED'")
                .param("pool", sale.name)
                .query(String.class)
                .list();
        Set<String> recorded = new HashSet<>(requests);
        rush.acknowledged.forEach(
                (sequence, request) -> assertThat(recorded.contains(request) != told.contains(sequence))
                        .as("event " + sequence + " is either recorded or told to be lost")
                        .isTrue());
        System.out.println("acknowledged " + rush.answers() + ", lost " + told.size() + ", recorded " + recorded.size()
                + ", rebuilds " + rebuilds());
    }

    @Test
    void survivesFlushAllUnderLoad() throws Exception {
        survives(3, () -> servers.commands.flushall());
    }

    @Test
    void survivesACrashWithoutPersistenceUnderLoad() throws Exception {
        survives(2, () -> {
            servers.redis.kill();
            servers.redis.restart();
        });
    }

    @Test
    void survivesAFailOverThatLosesWritesUnderLoad() throws Exception {
        try (RedisServer replica = RedisServer.builder()
                .config("repl-diskless-sync-delay", "0")
                .config("replicaof", "127.0.0.1 " + servers.redis.port())
                .start()) {
            RedisClient client = RedisClient.create(replica.uri());
            try {
                RedisCommands<String, String> commands = client.connect().sync();
                survives(1, () -> failOver(replica, commands));
            } finally {
                client.shutdown();
            }
        }
    }

    /** The replica stops following, the master goes on and dies, the replica's data take its place. */
    private void failOver(RedisServer replica, RedisCommands<String, String> commands) {
        await().until(() -> commands.info("replication").contains("master_link_status:up"));
        commands.replicaofNoOne();
        long reached = sale.state().sequence();
        await().until(() -> sale.state().sequence() > reached + 200);
        servers.redis.kill();
        servers.redis.restart();
        servers.commands.replicaof("127.0.0.1", replica.port());
        await().until(() -> servers.commands.info("replication").contains("master_link_status:up"));
        servers.commands.replicaofNoOne();
    }

    @Test
    void twoAtOnceMakeOneEpoch() {
        sale.of(10_000).relay(Sale.QUICK);
        sale.issue(2_000);
        sale.awaitRecorded();
        sale.close();
        servers.commands.flushall();
        List<CompletableFuture<RebuildResult>> all = List.of(
                CompletableFuture.supplyAsync(
                        () -> rebuild(sale.pool, sale.notes).run()),
                CompletableFuture.supplyAsync(
                        () -> rebuild(second(), sale.notes).run()),
                CompletableFuture.supplyAsync(
                        () -> rebuild(second(), sale.notes).run()));
        all.forEach(CompletableFuture::join);

        assertThat(sale.ledger.position(sale.name).orElseThrow().epoch())
                .as("one epoch, or one more if the first was being opened")
                .isBetween(2L, 3L);
        await().until(() -> !sale.state().fenced());
        assertThat(sale.state().users()).isEqualTo(2_000);
        sale.relay(Sale.QUICK);
        sale.issue(10);
        sale.awaitRecorded();
        assertConserved(10_000);
    }

    @Test
    void anotherFinishesWhatAKilledRebuilderBegan() throws Exception {
        sale.of(100_000).relay(Sale.QUICK);
        sale.issue(40_000);
        sale.awaitRecorded();
        sale.close();
        servers.commands.flushall();
        Process rebuilder = Jvm.start(
                RebuilderMain.class, servers.redis.uri(), servers.postgres.jdbcUrl() + "&socketTimeout=5", sale.name);
        try {
            await().atMost(Duration.ofSeconds(30))
                    .pollInterval(Duration.ofMillis(1))
                    .until(() -> servers.commands.hlen(sale.key("claims-2")) > 0);
            servers.pauseWrites(); // it stands still in the middle
        } finally {
            rebuilder.destroyForcibly().waitFor();
        }
        servers.allowWrites();
        assertThat(sale.state().fenced()).isTrue();
        assertThat(servers.commands.hlen(sale.key("claims-2")))
                .as("killed in the middle")
                .isLessThan(40_000);

        sale.relay(Sale.QUICK);
        await().atMost(Duration.ofSeconds(60)).until(() -> !sale.notes.rebuilt.isEmpty());
        assertThat(sale.state().epoch()).as("it goes on with the epoch begun").isEqualTo(2);
        assertThat(servers.commands.exists(sale.key("claims-2"))).isZero();
        sale.issue(10);
        sale.awaitRecorded();
        assertConserved(100_000);
    }

    @Test
    void aRelayFinishesWhatSomebodySealedAndLeft() {
        sale.of(100).issue(5);
        Relay relay = sale.relay(Sale.QUICK);
        sale.awaitRecorded();
        try (Outbox outbox = sale.pool.outbox()) {
            assertThat(outbox.restoration().seal(2)).isTrue();
            assertThat(outbox.unfence(1, "test")).isFalse();
        }
        await().untilAsserted(() -> assertThat(sale.notes.rebuilt).hasSize(1));
        sale.awaitState(relay, RelayStatus.State.RECORDING);
        sale.issue(5);
        sale.awaitRecorded();
        assertConserved(100);
    }
}
