// SPDX-License-Identifier: Apache-2.0
package dev.interlock.ledger;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.interlock.InterlockException;
import dev.interlock.embedded.RedisServer;
import dev.interlock.pool.IssueResult;
import dev.interlock.pool.Outbox;
import dev.interlock.pool.Pool;
import dev.interlock.pool.PoolConfig;
import dev.interlock.pool.Restoration.Point;
import dev.interlock.pool.ShardedPool;
import java.time.Duration;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.springframework.jdbc.core.simple.JdbcClient;

/** Shards of a pool are lost, alone or together, with units under way between them: no unit vanishes, none is there twice. */
class ShardedRebuildIT {
    private static final int SHARDS = 3;
    private static final long UNITS = 900;
    private static final int CALLERS = 4;
    private static final int CALLS = 125;
    private static final int ROUNDS = 9;
    private static final AtomicInteger NAMES = new AtomicInteger();

    @AutoClose
    private static final Servers servers = new Servers(RedisServer.builder());

    private final String name = "parted-" + NAMES.incrementAndGet();
    private final ShardedPool pool = servers.interlock.shardedPool(name, SHARDS);
    private final Relay[] relays = new Relay[SHARDS];
    private final Notes[] notes = {new Notes(), new Notes(), new Notes()};
    private final JdbcClient sql = JdbcClient.create(servers.database);
    private final AtomicInteger users = new AtomicInteger();

    @AfterEach
    void close() {
        for (int shard = 0; shard < SHARDS; shard++) {
            end(shard);
        }
    }

    private void relay(int shard) {
        relays[shard] = Relay.of(pool.shards().get(shard), name, servers.database, Sale.QUICK, notes[shard]);
        relays[shard].start();
    }

    private void end(int shard) {
        if (relays[shard] != null) {
            relays[shard].close();
        }
    }

    private void create() {
        pool.create(PoolConfig.of(UNITS));
        for (int shard = 0; shard < SHARDS; shard++) {
            relay(shard);
        }
        awaitRecorded();
    }

    /** A new user, by the rule that users are divided by. */
    private String userOf(int shard) {
        while (true) {
            String user = "user-" + users.getAndIncrement();
            int hash = user.hashCode() * 0x9E3779B9;
            if (Math.floorMod(hash ^ (hash >>> 15), SHARDS) == shard) {
                return user;
            }
        }
    }

    /** Asks until there is an answer that stays; whoever asks a lost pool hears "rebuilding", or an exception that says so. */
    private IssueResult issue(String user) {
        long end = System.nanoTime() + Duration.ofSeconds(30).toNanos();
        while (System.nanoTime() < end) {
            try {
                IssueResult result = pool.issue(user, "request-" + user);
                if (!(result instanceof IssueResult.Rebuilding)) {
                    assertThat(result)
                            .isInstanceOfAny(
                                    IssueResult.Issued.class, IssueResult.Replayed.class, IssueResult.SoldOut.class);
                    return result;
                }
            } catch (InterlockException e) {
                assertThat(e).hasMessageNotContaining("not made of whole numbers");
            }
            LockSupport.parkNanos(5_000_000);
        }
        throw new AssertionError(user + " was never answered");
    }

    private void issue(int shard, int count) {
        for (int i = 0; i < count; i++) {
            issue(userOf(shard));
        }
    }

    private void lose(int shard) {
        List<String> keys = servers.commands.keys("interlock:pool:{" + name + '.' + shard + '/' + SHARDS + "}:*");
        if (!keys.isEmpty()) { // else what was lost before has not been rebuilt yet
            servers.commands.del(keys.toArray(String[]::new));
        }
    }

    private boolean isRecorded(int shard) {
        return pool.shards()
                .get(shard)
                .state()
                .filter(state -> !state.fenced())
                .map(state -> new Point(state.epoch(), state.sequence()))
                .equals(Ledger.of(servers.database)
                        .position(name, shard)
                        .map(at -> new Point(at.epoch(), at.sequence())));
    }

    private void awaitRecorded() {
        await().atMost(Duration.ofSeconds(30)).ignoreExceptions().until(() -> {
            boolean all = true;
            for (int shard = 0; shard < SHARDS; shard++) {
                all &= isRecorded(shard);
            }
            return all;
        });
    }

    private void awaitRebuilt(int shard) {
        await().atMost(Duration.ofSeconds(30)).until(() -> !notes[shard].rebuilt.isEmpty());
    }

    private long count(String query) {
        return sql.sql(query).param("pool", name).query(Long.class).single();
    }

    /** Sells what is left, and finds that exactly all units there are were sold. */
    private void assertConserved() {
        for (int shard = 0; !(issue(userOf(shard)) instanceof IssueResult.SoldOut); shard = (shard + 1) % SHARDS) {
            assertThat(users.get()).as("it must be sold out some time").isLessThan((int) UNITS * 20);
        }
        awaitRecorded();
        assertThat(count("SELECT count(*) FROM interlock_event WHERE pool = :pool AND kind = 'ISSUED'"))
                .isEqualTo(UNITS);
        assertThat(Ledger.of(servers.database).duplicateUsers(name, 1)).isZero();
        assertThat(pool.state().orElseThrow().inTransit()).isZero();
        for (Pool shard : pool.shards()) {
            assertThat(Reconcile.of(shard, name, servers.database, ReconcileOptions.DEFAULTS, new Notes())
                            .check())
                    .isInstanceOf(ReconcileResult.Consistent.class);
        }
        assertThat(moved("sent")).as("every unit that left has arrived once").isEqualTo(moved("arrived"));
    }

    private long moved(String way) {
        return count("SELECT coalesce(sum(units), 0) FROM interlock_" + way + " WHERE pool = :pool");
    }

    @Test
    void survivesTheLossOfOneShardOrAllWhileUnitsMove() {
        long seed = System.nanoTime();
        System.out.println("seed " + seed);
        Random random = new Random(seed);
        create();
        issue(0, (int) UNITS / SHARDS - 10); // what comes now takes units from the other shards
        AtomicInteger answers = new AtomicInteger();
        List<CompletableFuture<Void>> callers = IntStream.range(0, CALLERS)
                .mapToObj(i -> CompletableFuture.runAsync(() -> {
                    for (int call = 0; call < CALLS; call++) {
                        issue(userOf(call % 2));
                        answers.incrementAndGet();
                    }
                }))
                .toList();
        for (int round = 1; round < ROUNDS; round++) {
            int reached = CALLERS * CALLS * round / ROUNDS;
            await().atMost(Duration.ofSeconds(30))
                    .pollInterval(Duration.ofMillis(1))
                    .until(() -> answers.get() >= reached);
            if (round % 3 == 0) {
                servers.commands.flushall();
            } else {
                lose(random.nextInt(SHARDS));
            }
        }
        callers.forEach(CompletableFuture::join);
        assertConserved();
        assertThat(notes).as("each was rebuilt").noneMatch(note -> note.rebuilt.isEmpty());
        System.out.println(moved("sent") + " units moved");
    }

    @Test
    void unitsThatNeverArrivedComeBack() {
        create();
        // As if the arrival of whatever these send next had been lost with the memory of shard 0.
        refuse(0, 1);
        issue(0, (int) UNITS / SHARDS + 100);
        awaitRecorded();
        assertThat(moved("sent")).isGreaterThan(moved("arrived"));
        lose(1);
        awaitRebuilt(1);
        assertConserved();
    }

    /** Shard {@code at} takes nothing in that another one sent in its first epoch. */
    private void refuse(int at, int from) {
        try (Outbox outbox = pool.shards().get(from).outbox()) {
            assertThat(outbox.restoration().siblings().refuse(at, new Point(1, 1_000_000)))
                    .isPresent();
        }
    }

    @Test
    void unitsWhoseDepartureWasLostAreNotThereTwice() {
        create();
        end(1);
        end(2);
        issue(0, (int) UNITS / SHARDS + 200);
        await().until(() -> isRecorded(0));
        assertThat(moved("arrived")).isPositive();
        assertThat(count("SELECT count(*) FROM interlock_sent WHERE pool = :pool"))
                .isZero();
        lose(1);
        lose(2);
        relay(1);
        relay(2);
        awaitRebuilt(1);
        awaitRebuilt(2);
        assertConserved();
    }

    @Test
    void unitsWhoseArrivalWasLostArriveAfterAll() {
        create();
        issue(0, 10);
        awaitRecorded();
        end(0);
        issue(0, (int) UNITS / SHARDS + 100);
        await().until(() -> isRecorded(1) && isRecorded(2));
        assertThat(moved("sent")).isPositive();
        assertThat(count("SELECT count(*) FROM interlock_arrived WHERE pool = :pool"))
                .isZero();
        lose(0);
        relay(0);
        awaitRebuilt(0);
        assertThat(moved("arrived")).isEqualTo(moved("sent"));
        assertConserved();
    }
}
