// SPDX-License-Identifier: Apache-2.0
package dev.interlock.pool;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.interlock.Interlock;
import dev.interlock.NotExecutedException;
import dev.interlock.Topology;
import dev.interlock.embedded.RedisServer;
import dev.interlock.pool.Durability.Level;
import dev.interlock.pool.HoldResult.Held;
import dev.interlock.pool.IssueResult.Issued;
import dev.interlock.pool.IssueResult.Replayed;
import dev.interlock.pool.IssueResult.SoldOut;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;

/** What answers say about durability, with a replica that follows, is paused or is dead, and a recorder that works or not. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class DurablePoolIT {
    private static final Durability REPLICATED = Durability.replicated(1).withPatience(Duration.ofMillis(300));
    private static final Durability RECORDED = Durability.RECORDED.withPatience(Duration.ofMillis(300));

    private RedisServer master;
    private Interlock interlock;

    @BeforeAll
    void start() {
        master = RedisServer.start();
        interlock = Topology.connect(master);
    }

    @AfterAll
    void stop() {
        interlock.close();
        master.close();
    }

    private RedisServer replica() {
        RedisServer replica = RedisServer.builder()
                .config("replicaof", "127.0.0.1 " + master.port())
                .start();
        await().atMost(Duration.ofSeconds(30)).until(() -> info("replication").contains("state=online"));
        return replica;
    }

    private String info(String section) {
        StringBuilder answer = new StringBuilder();
        ControlContract.raw(master, redis -> answer.append(redis.sync().info(section)));
        return answer.toString();
    }

    private Pool poolOf(long units) {
        Pool pool = interlock.pool(Topology.name("sale"));
        pool.create(PoolConfig.of(units).withLimitPerUser(3));
        return pool;
    }

    private static Assured<IssueResult> only(IssueResult result) {
        return new Assured<>(result, Level.MEMORY, 0, false);
    }

    @Test
    void aReplicaThatIsPausedOrDeadIsNotCountedAndUndoesNothing() {
        Pool pool = poolOf(6);
        DurablePool durable = DurablePool.of(pool, REPLICATED);
        try (RedisServer replica = replica()) {
            assertThat(durable.issue("a", "r")).isEqualTo(new Assured<>(new Issued(1, 5), Level.REPLICATED, 1, true));
            Held held = (Held) pool.holds().hold("h", 2, Duration.ofMinutes(1), "r");
            assertThat(durable.confirm(held.id()).reached()).isEqualTo(Level.REPLICATED);
            assertThat(DurablePool.of(pool, Durability.replicated(2).withPatience(Duration.ofMillis(100)))
                            .issue("b", "r"))
                    .isEqualTo(new Assured<>(new Issued(5, 2), Level.MEMORY, 1, false));
            replica.pause();
            assertThat(durable.issue("c", "r")).isEqualTo(only(new Issued(6, 1)));
            assertThat(durable.issue("c", "r")).isEqualTo(only(new Replayed(6)));
            replica.resume();
            await().atMost(Duration.ofSeconds(10))
                    .until(() -> durable.issue("c", "r")
                            .equals(new Assured<IssueResult>(new Replayed(6), Level.REPLICATED, 1, true)));
            replica.kill();
            assertThat(durable.reactive().issue("d", "r").block()).isEqualTo(only(new Issued(7, 0)));
            assertThat(durable.issue("e", "r"))
                    .as("nothing to wait for")
                    .isEqualTo(new Assured<>(new SoldOut(), Level.REPLICATED, 0, true));
            assertThat(pool.state().orElseThrow().available()).isZero();
        }
    }

    @Test
    void thoseWhoWaitShareTheWaiting() {
        Pool pool = poolOf(1_000);
        try (RedisServer replica = replica()) {
            DurablePool durable = DurablePool.of(pool, REPLICATED.withPatience(Duration.ofSeconds(10)));
            List<CompletableFuture<Assured<IssueResult>>> calls = IntStream.range(0, 500)
                    .mapToObj(i -> durable.async().issue("u" + i, "r").toCompletableFuture())
                    .toList();
            assertThat(calls).allSatisfy(call -> assertThat(call.join().met()).isTrue());
            String waits = info("commandstats").lines().filter(line -> line.startsWith("cmdstat_wait:")).findFirst().orElseThrow();
            assertThat(Long.parseLong(waits.replaceAll(".*calls=(\\d+).*", "$1"))).isLessThan(200);
            assertThat(replica.isAlive()).isTrue();
        }
    }

    @Test
    void theDiskOfAnOlderServerIsRefusedBeforeAnythingIsDone() {
        Pool pool = poolOf(1);
        DurablePool durable = DurablePool.of(pool, Durability.FSYNCED);
        assertThatThrownBy(() -> durable.issue("a", "r"))
                .isInstanceOf(NotExecutedException.class)
                .hasMessageContaining("needs Redis 7.2")
                .hasMessageContaining(master.version());
        assertThat(pool.state().orElseThrow().sequence()).isZero();
    }

    @Test
    void recordedMeansThatARecorderHasTakenItOver() {
        Pool pool = poolOf(10);
        DurablePool durable = DurablePool.of(pool, RECORDED);
        assertThat(durable.issue("a", "r")).isEqualTo(only(new Issued(1, 9)));
        try (Outbox outbox = pool.outbox()) {
            List<OutboxEntry> entries = outbox.read(Outbox.START, 10, Duration.ZERO);
            outbox.trim(entries.get(0).id());
            assertThat(durable.issue("a", "r")).as("only the creation is").isEqualTo(only(new Replayed(1)));
            outbox.trim(entries.get(1).id());
            assertThat(durable.issue("a", "r"))
                    .isEqualTo(new Assured<>(new Replayed(1), Level.RECORDED, 0, true));

            DurablePool patient = DurablePool.of(pool, RECORDED.withPatience(Duration.ofSeconds(10)));
            CompletableFuture<Assured<HoldResult>> hold = patient.async()
                    .hold("b", 2, Duration.ofMinutes(1), "r")
                    .toCompletableFuture();
            await().until(() -> pool.state().orElseThrow().held() == 2);
            assertThat(hold).isNotDone();
            Held held = (Held) pool.holds().hold("c", 3, Duration.ofMinutes(1), "r");
            CompletableFuture<Assured<ConfirmResult>> confirm =
                    patient.async().confirm(held.id()).toCompletableFuture();
            await().until(() -> pool.state().orElseThrow().held() == 2 && pool.state().orElseThrow().sequence() == 6);
            List<OutboxEntry> more = outbox.read(entries.get(1).id(), 10, Duration.ZERO);
            outbox.trim(more.get(1).id());
            assertThat(hold.join().reached()).isEqualTo(Level.RECORDED);
            assertThat(confirm).isNotDone();
            outbox.trim(more.get(2).id());
            assertThat(confirm.join().reached()).isEqualTo(Level.RECORDED);
        }
    }
}
