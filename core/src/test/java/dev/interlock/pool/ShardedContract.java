// SPDX-License-Identifier: Apache-2.0
package dev.interlock.pool;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.interlock.CorruptStateException;
import dev.interlock.Interlock;
import dev.interlock.Topology;
import dev.interlock.pool.HoldResult.Held;
import dev.interlock.pool.IssueResult.Issued;
import dev.interlock.pool.IssueResult.SoldOut;
import dev.interlock.pool.PoolEvent.Kind;
import dev.interlock.pool.Transfers.Transfer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.junit.jupiter.api.Test;

/** What every parted pool promises; the subclasses say on which topology. */
abstract class ShardedContract extends PoolFixture {
    private static final int SHARDS = 4;
    private static final Duration LONG = Duration.ofMinutes(5);

    ShardedContract(Topology topology) {
        super(topology);
    }

    private String name;

    private ShardedPool parted(PoolConfig config) {
        name = Topology.name("parted");
        ShardedPool pool = interlock.shardedPool(name, SHARDS);
        assertThat(pool.create(config)).isEqualTo(new CreateResult.Created());
        return pool;
    }

    private static <T> T join(CompletionStage<T> stage) {
        return stage.toCompletableFuture().join();
    }

    private static ShardedCalls calls(ShardedPool pool) {
        return ((BlockingSharded) pool).calls();
    }

    private static List<IssueResult> issueAll(ShardedPool pool, int users, String prefix) {
        List<CompletableFuture<IssueResult>> calls = new ArrayList<>();
        for (int i = 0; i < users; i++) {
            calls.add(pool.async().issue(prefix + i, "r").toCompletableFuture());
        }
        return calls.stream().map(CompletableFuture::join).toList();
    }

    /** Plays the events of all shards: units that left one arrive in the other once, and nothing appears otherwise. */
    private static void assertExact(ShardedPool pool, long supply) {
        long issued = 0;
        Map<String, Long> sent = new HashMap<>();
        for (int shard = 0; shard < SHARDS; shard++) {
            long left = 0;
            for (PoolEvent event : HoldsContract.events(pool.shards().get(shard).outbox())) {
                left += event.delta();
                assertThat(left).as("S1 in shard %d after %s", shard, event).isNotNegative();
                issued += event.kind() == Kind.ISSUED ? 1 : 0;
                if (event.kind() == Kind.MOVED_OUT) {
                    String transfer = shard + " " + event.position().epoch() + " " + event.position().sequence();
                    sent.merge(transfer, -event.delta(), Long::sum);
                } else if (event.kind() == Kind.MOVED_IN) {
                    sent.merge(event.note(), -event.delta(), Long::sum);
                }
            }
        }
        ShardedState state = pool.state().orElseThrow();
        assertThat(sent.values()).as("arrived once").allMatch(units -> units >= 0);
        assertThat(sent.values().stream().mapToLong(Long::longValue).sum()).isEqualTo(state.inTransit());
        assertThat(state.available() + state.held() + state.inTransit() + issued).isEqualTo(supply);
        assertThat(state.exact()).isTrue();
    }

    @Test
    void everyUnitIsIssuedWhereverItLiesAndNobodyHearsSoldOutBefore() {
        ShardedPool pool = parted(PoolConfig.of(103));
        assertThat(pool.state()).contains(new ShardedState(103, 0, 0, 0, true));
        String user = "all of one shard ";
        int one = calls(pool).shardOf(user);
        List<String> same = new Random(1)
                .ints(0, 1_000_000)
                .mapToObj(i -> user + i)
                .filter(each -> calls(pool).shardOf(each) == one)
                .limit(60)
                .toList();
        for (String each : same) {
            assertThat(pool.issue(each, "r")).as("60 of 103, though a shard has 26").isInstanceOf(Issued.class);
        }
        try (Interlock other = Topology.connect(server)) {
            ShardedPool second = other.shardedPool(name, SHARDS);
            CompletableFuture<List<IssueResult>> theirs =
                    CompletableFuture.supplyAsync(() -> issueAll(second, 100, "second"), task -> new Thread(task).start());
            List<IssueResult> results = new ArrayList<>(issueAll(pool, 100, "first"));
            results.addAll(theirs.join());
            assertThat(results).filteredOn(Issued.class::isInstance).hasSize(43);
            assertThat(results).filteredOn(SoldOut.class::isInstance).hasSize(157);
            assertThat(second.issue(same.get(0), "r")).isInstanceOf(IssueResult.Replayed.class);
            assertThat(second.issue(same.get(0), "again")).isInstanceOf(IssueResult.AlreadyIssued.class);
        }
        assertThat(pool.state()).contains(new ShardedState(0, 0, 0, 103, true));
        assertExact(pool, 103);
    }

    @Test
    void unitsWhoseMoverDiedOnTheWayAreBroughtToTheirEndOnce() {
        ShardedPool pool = parted(PoolConfig.of(40));
        List<Transfers> shards =
                calls(pool).calls().stream().map(PoolCalls::transfers).toList();
        // One died before the units arrived, another one after it, before it could say so; a third sends too late again.
        Transfer lost = join(shards.get(0).send(1, 3)).orElseThrow();
        assertThat(join(shards.get(0).send(1, 9))).as("one open at a time").contains(lost);
        Transfer arrived = join(shards.get(2).send(3, 4)).orElseThrow();
        join(shards.get(3).receive(2, arrived));
        assertThat(pool.state()).contains(new ShardedState(40 - 5, 0, 5, 0, true));
        assertExact(pool, 40);

        List<IssueResult> results = issueAll(pool, 100, "u");
        assertThat(results).filteredOn(Issued.class::isInstance).hasSize(40);
        join(shards.get(3).receive(2, arrived));
        join(shards.get(1).receive(0, lost));
        join(shards.get(0).settle(1, lost));
        assertThat(pool.state()).contains(new ShardedState(0, 0, 0, 40, true));
        assertExact(pool, 40);
    }

    @Test
    void aRestockAndUnitsThatComeBackReachEveryShardOfEveryNodeWithinASecond() {
        ShardedPool pool = parted(PoolConfig.of(2));
        issueAll(pool, 20, "first");
        Held held;
        try (Interlock other = Topology.connect(server)) {
            ShardedPool second = other.shardedPool(name, SHARDS);
            assertThat(issueAll(second, 200, "loser")).allMatch(SoldOut.class::isInstance);
            assertThat(pool.restock(8, "delivery")).isInstanceOf(RestockResult.Restocked.class);
            assertThat(pool.restock(8, "delivery")).isInstanceOf(RestockResult.Replayed.class);
            for (int i = 0; i < 7; i++) {
                String user = "late" + i;
                await().atMost(Duration.ofSeconds(1)).until(() -> second.issue(user, "r") instanceof Issued);
            }
            held = (Held) second.holds().hold("holder", 1, LONG, "r");
            assertThat(issueAll(second, 50, "after")).allMatch(SoldOut.class::isInstance);
            pool.holds().cancel(held.id());
            await().atMost(Duration.ofSeconds(1)).until(() -> second.issue("last", "r") instanceof Issued);
        }
        assertExact(pool, 10);
    }

    @Test
    void aHoldBringsItsUnitsTogetherAndTheLimitIsThatOfOnePool() {
        ShardedPool pool = parted(PoolConfig.of(8).withLimitPerUser(5));
        Held held = (Held) pool.holds().hold("a", 5, LONG, "r");
        assertThat(pool.holds().hold("a", 1, LONG, "r2")).isEqualTo(new HoldResult.LimitReached(5));
        assertThat(pool.holds().hold("b", 4, LONG, "r")).isEqualTo(new HoldResult.Insufficient(3));
        assertThat(pool.holds().confirm(held.id())).isInstanceOf(ConfirmResult.Confirmed.class);
        Held late = (Held) pool.holds().hold("c", 3, Duration.ofMillis(1), "r");
        await().atMost(Duration.ofSeconds(5)).until(() -> {
            pool.holds().sweep(100);
            return pool.holds().find(late.id()).orElseThrow().status() == Hold.Status.EXPIRED;
        });
        assertThat(pool.issue("d", "r")).isInstanceOf(Issued.class);
        assertThat(pool.holds().confirm(late.id())).isEqualTo(new ConfirmResult.LateNoStock(2));
        pool.restock(1, "one");
        assertThat(pool.holds().confirm(late.id())).isInstanceOf(ConfirmResult.Confirmed.class);
        assertThat(pool.holds().hold("e", 1, LONG, "r")).isEqualTo(new HoldResult.SoldOut());
        assertExact(pool, 9);
    }

    @Test
    void aPoolInPartIsNoneUntilItsCreationIsDoneAgainAndALostShardIsNotCreated() {
        name = Topology.name("parted");
        ShardedPool pool = interlock.shardedPool(name, SHARDS);
        PoolConfig config = PoolConfig.of(6);
        pool.shards().get(3).create(PoolConfig.of(1));
        assertThat(pool.issue("a", "r")).isEqualTo(new IssueResult.UnknownPool());
        assertThat(pool.holds().hold("a", 1, LONG, "r")).isEqualTo(new HoldResult.UnknownPool());
        assertThat(pool.restock(1, "r")).isEqualTo(new RestockResult.UnknownPool());
        assertThat(pool.state()).isEmpty();
        assertThat(pool.reactive().create(config).block()).isEqualTo(new CreateResult.Created());
        assertThat(join(pool.async().create(config)))
                .isEqualTo(new CreateResult.Exists(new PoolState(1, 0, 6, 0, 0, false)));
        assertThat(issueAll(pool, 20, "u")).filteredOn(Issued.class::isInstance).hasSize(6);
        assertThat(interlock.shardedPool(name, SHARDS + 1).issue("a", "r")).isEqualTo(new IssueResult.UnknownPool());
        ControlContract.raw(server, redis -> redis.sync()
                .del("interlock:pool:{" + name + ".0/4}:meta", "interlock:pool:{" + name + ".0/4}:claims"));
        ControlContract.raw(server, redis -> redis.sync().del("interlock:pool:{" + name + ".0/4}:outbox"));
        assertThatThrownBy(() -> pool.create(config)).isInstanceOf(CorruptStateException.class);
        assertThatThrownBy(() -> interlock.shardedPool(name, 1)).hasMessageContaining("shards");
    }

    @Test
    void manyCallersWithHoldsRestocksAndTransfersStayExact() {
        long seed = System.nanoTime();
        System.out.println("seed " + seed);
        ShardedPool pool = parted(PoolConfig.of(30).withLimitPerUser(2));
        List<CompletableFuture<Long>> workers = new ArrayList<>();
        try (Interlock other = Topology.connect(server)) {
            for (int i = 0; i < 6; i++) {
                int worker = i;
                ShardedPool node = i % 2 == 0 ? pool : other.shardedPool(name, SHARDS);
                workers.add(CompletableFuture.supplyAsync(
                        () -> work(node, worker, new Random(seed + worker)), task -> new Thread(task).start()));
            }
            long supply = 30 + workers.stream().mapToLong(CompletableFuture::join).sum();
            await().atMost(Duration.ofSeconds(5)).until(() -> {
                pool.holds().sweep(1_000);
                return pool.state().orElseThrow().held() == 0;
            });
            assertExact(pool, supply);
            long left = pool.state().orElseThrow().available()
                    + pool.state().orElseThrow().inTransit();
            assertThat(issueAll(pool, 200, "rest")).filteredOn(Issued.class::isInstance).hasSize((int) left);
            assertExact(pool, supply);
        }
        for (Pool shard : pool.shards()) {
            Map<String, Integer> units = new HashMap<>();
            HoldsContract.events(shard.outbox()).stream()
                    .filter(event -> event.kind() == Kind.ISSUED)
                    .forEach(event -> units.merge(event.claim().userId(), 1, Integer::sum));
            assertThat(units.values()).as("S4").allMatch(each -> each <= 2);
        }
    }

    private static long work(ShardedPool pool, int worker, Random random) {
        long restocked = 0;
        for (int i = 0; i < 200; i++) {
            String user = "user" + random.nextInt(300);
            String request = worker + "-" + i;
            switch (random.nextInt(8)) {
                case 0 -> {
                    if (i % 3 == 0 && pool.restock(2, request) instanceof RestockResult.Restocked) {
                        restocked += 2;
                    }
                }
                case 1, 2 -> {
                    Duration ttl = Duration.ofMillis(1 + random.nextInt(10));
                    HoldResult result = pool.holds().hold(user, 1 + random.nextInt(2), ttl, request);
                    if (result instanceof Held held && random.nextBoolean()) {
                        pool.holds().confirm(held.id());
                    }
                }
                default -> pool.issue(user, request);
            }
        }
        return restocked;
    }
}
