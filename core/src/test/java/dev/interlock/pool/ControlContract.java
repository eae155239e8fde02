// SPDX-License-Identifier: Apache-2.0
package dev.interlock.pool;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.interlock.Interlock;
import dev.interlock.RequestConflictException;
import dev.interlock.Topology;
import dev.interlock.embedded.RedisServer;
import dev.interlock.pool.HoldResult.Held;
import dev.interlock.pool.IssueResult.Issued;
import dev.interlock.pool.IssueResult.SoldOut;
import dev.interlock.pool.RestockResult.Restocked;
import io.lettuce.core.RedisClient;
import io.lettuce.core.api.StatefulRedisConnection;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** What the keeper of every pool can do; the subclasses say on which topology. */
abstract class ControlContract extends PoolFixture {
    ControlContract(Topology topology) {
        super(topology);
    }

    /** Ways to call the same operations. */
    enum View {
        BLOCKING,
        ASYNC,
        REACTIVE;

        RestockResult restock(Pool pool, long quantity, String request) {
            PoolControl control = pool.control();
            return switch (this) {
                case BLOCKING -> control.restock(quantity, request);
                case ASYNC ->
                    control.async()
                            .restock(quantity, request)
                            .toCompletableFuture()
                            .join();
                case REACTIVE -> control.reactive().restock(quantity, request).block();
            };
        }
    }

    @ParameterizedTest
    @EnumSource(View.class)
    void aRestockAddsOnceForEachRequest(View view) {
        Pool pool = poolOf(1);
        pool.issue("a", "r");
        assertThat(view.restock(pool, 5, "delivery")).isEqualTo(new Restocked(2, 5));
        assertThat(view.restock(pool, 5, "delivery")).isEqualTo(new RestockResult.Replayed(2));
        assertThatThrownBy(() -> pool.control().restock(6, "delivery")).isInstanceOf(RequestConflictException.class);
        assertThat(pool.issue("b", "r")).isEqualTo(new Issued(3, 4));
        for (long bad : new long[] {0, -1, 1_000_001}) {
            assertThatThrownBy(() -> view.restock(pool, bad, "x")).hasMessageContaining("quantity");
        }
        Pool full = poolOf(1_000_000_000_000L);
        assertThat(view.restock(full, 1, "x")).isEqualTo(new RestockResult.TooMany(1_000_000_000_000L));
        assertThat(view.restock(interlock.pool(Topology.name("none")), 1, "x"))
                .isEqualTo(new RestockResult.UnknownPool());
    }

    @Test
    void theTimesCanBeChanged() {
        Instant opens = Instant.parse("2100-01-01T00:00:00Z");
        Pool pool = created(PoolConfig.of(3).open(opens, null));
        assertThat(pool.issue("a", "r")).isEqualTo(new IssueResult.NotOpen(opens));
        assertThat(pool.control().schedule(null, opens)).isEqualTo(new ScheduleResult.Scheduled(1));
        assertThat(pool.control().settings()).contains(PoolConfig.of(3).open(null, opens));
        assertThat(pool.issue("a", "r")).isEqualTo(new Issued(2, 2));
        assertThat(pool.control().schedule(null, Instant.now().minusSeconds(60)))
                .isEqualTo(new ScheduleResult.Scheduled(3));
        assertThat(pool.issue("b", "r")).isEqualTo(new IssueResult.Closed());
        assertThat(pool.issue("a", "r")).isEqualTo(new IssueResult.Replayed(2));
        assertThatThrownBy(() -> pool.control().schedule(opens, opens)).hasMessageContaining("closesAt");
        assertThatThrownBy(() -> pool.control().reactive().schedule(opens, opens))
                .hasMessageContaining("closesAt");
    }

    @Test
    void aPoolIsDroppedOnlyWhenItIsClosedRecordedAndHoldsNothing() {
        Pool pool = created(PoolConfig.of(3).withEpoch(7));
        PoolControl control = pool.control();
        Held held = (Held) pool.holds().hold("a", 1, Duration.ofMinutes(5), "r");
        assertThat(control.drop(6)).isEqualTo(new DropResult.UnknownPool());
        assertThat(control.drop(7)).isInstanceOf(DropResult.StillOpen.class);
        control.schedule(null, Instant.now().minusSeconds(60));
        assertThat(control.drop(7)).isEqualTo(new DropResult.StillHeld(1));
        pool.holds().cancel(held.id());
        assertThat(control.drop(7)).isEqualTo(new DropResult.Unrecorded(4));
        try (Outbox outbox = pool.outbox()) {
            List<OutboxEntry> entries = outbox.read(Outbox.START, 10, Duration.ZERO);
            outbox.trim(entries.get(entries.size() - 1).id());
            assertThat(control.drop(7)).isEqualTo(new DropResult.Dropped(4));
            assertThat(HoldsContract.events(outbox))
                    .extracting(event -> event.kind() + " " + event.delta())
                    .containsExactly("DROPPED -3");
        }
        assertThat(control.drop(7)).isEqualTo(new DropResult.UnknownPool());
        assertThat(pool.issue("a", "r")).isEqualTo(new IssueResult.UnknownPool());
        assertThat(pool.state()).isEmpty();
        assertThat(control.settings()).isEmpty();
        assertThat(pool.create(PoolConfig.of(1).withEpoch(7))).isEqualTo(new CreateResult.Dropped(7));
        assertThat(pool.create(PoolConfig.of(1).withEpoch(8))).isEqualTo(new CreateResult.Created());
        assertThat(pool.issue("a", "r")).isEqualTo(new Issued(1, 0));
    }

    /** What brings a unit back; the last one stands for a push that was lost on its way. */
    enum Return {
        RESTOCK,
        CANCEL,
        EXPIRY,
        LOST_PUSH
    }

    @ParameterizedTest
    @EnumSource(Return.class)
    void everyNodeStopsSayingSoldOutWithinASecond(Return way) {
        Pool pool = poolOf(2);
        pool.issue("winner", "r");
        Duration ttl = way == Return.EXPIRY ? Duration.ofMillis(400) : Duration.ofMinutes(5);
        Held held = (Held) pool.holds().hold("holder", 1, ttl, "r");
        try (Interlock second = Topology.connect(server);
                Interlock third = Topology.connect(server)) {
            String name = ((BlockingPool) pool).name();
            List<Pool> nodes = List.of(second.pool(name), third.pool(name));
            nodes.forEach(ControlContract::becomesSoldOutByItself);
            bringBack(way, pool, held, 2);
            for (Pool node : nodes) {
                String user = "late on node " + nodes.indexOf(node);
                await().atMost(Duration.ofMillis(way == Return.EXPIRY ? 1_400 : 1_000))
                        .pollInterval(Duration.ofMillis(5))
                        .until(() -> node.issue(user, "r") instanceof Issued);
                bringBack(Return.RESTOCK, pool, held, 1);
            }
        }
    }

    private static void becomesSoldOutByItself(Pool node) {
        for (int i = 0; i < 500; i++) {
            assertThat(node.issue("loser" + i, "r")).isEqualTo(new SoldOut());
        }
    }

    private void bringBack(Return way, Pool pool, Held held, int units) {
        switch (way) {
            case RESTOCK -> pool.control().restock(units, Topology.name("delivery"));
            case CANCEL -> pool.holds().cancel(held.id());
            case EXPIRY -> assertThat(held.expiresAt()).isBefore(Instant.now().plusSeconds(1));
            case LOST_PUSH ->
                raw(server, redis -> {
                    String meta = "interlock:pool:{" + ((BlockingPool) pool).name() + ".0}:meta";
                    redis.sync().hincrby(meta, "left", units);
                    redis.sync().hincrby(meta, "version", 1);
                });
        }
    }

    static void raw(RedisServer server, Consumer<StatefulRedisConnection<String, String>> use) {
        RedisClient client = RedisClient.create(server.uri());
        try (StatefulRedisConnection<String, String> connection = client.connect()) {
            use.accept(connection);
        } finally {
            client.shutdown();
        }
    }
}
