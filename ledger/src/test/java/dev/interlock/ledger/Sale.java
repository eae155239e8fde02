// SPDX-License-Identifier: Apache-2.0
package dev.interlock.ledger;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.interlock.Interlock;
import dev.interlock.InterlockException;
import dev.interlock.pool.IssueResult;
import dev.interlock.pool.Pool;
import dev.interlock.pool.PoolConfig;
import dev.interlock.pool.PoolState;
import io.lettuce.core.api.sync.RedisCommands;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import javax.sql.DataSource;
import org.springframework.jdbc.core.simple.JdbcClient;

/** A pool under test, its relays, and the exact invariants of its record. */
final class Sale implements AutoCloseable {
    static final RelayOptions QUICK =
            RelayOptions.DEFAULTS.withPoll(Duration.ofMillis(50)).withMaxBackoff(Duration.ofMillis(200));
    private static final AtomicInteger NAMES = new AtomicInteger();

    final String name = "sale-" + NAMES.incrementAndGet();
    final Pool pool;
    final DataSource database;
    final JdbcClient sql;
    final Ledger ledger;
    final Notes notes = new Notes();
    final Set<String> acknowledged = ConcurrentHashMap.newKeySet();
    private final List<Relay> relays = new ArrayList<>();
    int limitPerUser = 1;
    private final AtomicInteger users = new AtomicInteger();

    Sale(Interlock interlock, DataSource database) {
        this.pool = interlock.pool(name);
        this.database = database;
        this.sql = JdbcClient.create(database);
        this.ledger = Ledger.of(database);
    }

    Sale of(long units) {
        pool.create(PoolConfig.of(units));
        return this;
    }

    Relay relay(RelayOptions options) {
        Relay relay = Relay.of(pool, name, database, options, notes);
        relays.add(relay);
        relay.start();
        return relay;
    }

    Reconcile reconcile(RepairPolicy policy) {
        return Reconcile.of(pool, name, database, ReconcileOptions.DEFAULTS.withPolicy(policy), notes);
    }

    String key(String part) {
        return "interlock:pool:{" + name + ".0}:" + part;
    }

    /** Asks for a unit for each of so many new users, all at once, until each has one. */
    void issue(int count) {
        List<CompletableFuture<?>> calls = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            String user = "user-" + users.incrementAndGet();
            calls.add(ask(user).thenAccept(ignored -> acknowledged.add("request-" + user)));
        }
        CompletableFuture.allOf(calls.toArray(CompletableFuture[]::new)).join();
    }

    /** Asks again while the pool is fenced or Redis does not answer. */
    private CompletableFuture<IssueResult> ask(String user) {
        return pool.async()
                .issue(user, "request-" + user)
                .handle((result, failure) -> {
                    boolean again = result instanceof IssueResult.Rebuilding
                            || failure != null
                                    && (failure instanceof InterlockException
                                            || failure.getCause() instanceof InterlockException);
                    if (again) {
                        return CompletableFuture.supplyAsync(
                                        () -> user,
                                        CompletableFuture.delayedExecutor(
                                                20, java.util.concurrent.TimeUnit.MILLISECONDS))
                                .thenCompose(this::ask);
                    }
                    assertThat(result).isInstanceOfAny(IssueResult.Issued.class, IssueResult.Replayed.class);
                    return CompletableFuture.completedFuture(result);
                })
                .thenCompose(next -> next)
                .toCompletableFuture();
    }

    IssueResult.Issued issueTo(String user) {
        return (IssueResult.Issued) pool.issue(user, "request-" + user);
    }

    void awaitState(Relay relay, RelayStatus.State state) {
        await().atMost(Duration.ofSeconds(10))
                .untilAsserted(() -> assertThat(relay.status().state()).isEqualTo(state));
    }

    /** Until so many units of dead events are back. */
    void awaitReturned(int units) {
        await().atMost(Duration.ofSeconds(20))
                .untilAsserted(() -> assertThat(ledger.deadEvents(name, 10))
                        .filteredOn(dead -> Boolean.TRUE.equals(dead.unitReturned()))
                        .hasSize(units));
    }

    PoolState state() {
        return pool.state().orElseThrow();
    }

    void awaitRecorded() {
        awaitRecorded(Duration.ofSeconds(30));
    }

    void awaitRecorded(Duration cap) {
        await().atMost(cap)
                .pollInterval(Duration.ofMillis(20))
                .ignoreExceptions()
                .untilAsserted(() -> {
                    Ledger.Position at = ledger.position(name).orElseThrow();
                    assertThat(at.epoch()).isEqualTo(state().epoch());
                    assertThat(at.sequence()).isEqualTo(state().sequence());
                    assertThat(at.rebuilding()).isFalse();
                });
    }

    /** Every acknowledged request is one row, the sequence is dense, no user has two, and the sum is what Redis has. */
    void assertExact() {
        PoolState state = state();
        Ledger.Total total = ledger.total(name, 0, state.epoch(), state.sequence());
        long events = state.sequence() - total.first() + 1;
        assertThat(total.rows()).as("dense sequence").isEqualTo(events);
        assertThat(count("SELECT count(*) FROM interlock_event WHERE pool = :pool AND epoch = " + state.epoch()))
                .as("no rows beyond")
                .isEqualTo(events);
        assertThat(total.units()).as("sum of the deltas").isEqualTo(state.available());
        List<String> requests = sql.sql("SELECT request_id FROM interlock_event WHERE pool = :pool AND kind = 'ISSUED'")
                .param("pool", name)
                .query(String.class)
                .list();
        assertThat(requests).doesNotHaveDuplicates();
        assertThat(Set.copyOf(requests).containsAll(acknowledged))
                .as("nothing lost")
                .isTrue();
        assertThat(ledger.duplicateUsers(name, limitPerUser)).isZero();
        assertThat(ledger.recordedUnits(name)).isEqualTo(requests.size());
    }

    long count(String query) {
        return sql.sql(query).param("pool", name).query(Long.class).single();
    }

    static long commands(RedisCommands<String, String> redis) {
        return redis.info("stats")
                .lines()
                .filter(line -> line.startsWith("total_commands_processed:"))
                .mapToLong(line ->
                        Long.parseLong(line.substring(line.indexOf(':') + 1).trim()))
                .findFirst()
                .orElseThrow();
    }

    @Override
    public void close() {
        relays.forEach(Relay::close);
    }
}
