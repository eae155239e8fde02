// SPDX-License-Identifier: Apache-2.0
package dev.interlock.benchmarks;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import dev.interlock.Interlock;
import dev.interlock.embedded.PostgresServer;
import dev.interlock.embedded.RedisServer;
import dev.interlock.ledger.LedgerListener;
import dev.interlock.ledger.LedgerSchema;
import dev.interlock.ledger.Relay;
import dev.interlock.ledger.RelayOptions;
import dev.interlock.pool.Pool;
import dev.interlock.pool.PoolConfig;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.Timestamp;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;

/** The same rows into PostgreSQL: by the plain batch insert of JDBC, and by the relay from the outbox. */
final class RelayCase implements Case {
    private static final int EVENTS = 50_000;
    private static final int IN_FLIGHT = 1_000;
    private static final int BATCH = 5_000;
    private static final AtomicLong POOLS = new AtomicLong();

    private final RedisServer server = RedisServer.start();
    private final PostgresServer postgres = PostgresServer.start();
    private final HikariDataSource database;
    private final Interlock interlock = Interlock.builder()
            .uri(server.uri())
            .commandTimeout(Duration.ofSeconds(30))
            .build();

    RelayCase() {
        HikariConfig config = new HikariConfig();
        config.setJdbcUrl(postgres.jdbcUrl());
        config.setMaximumPoolSize(4);
        database = new HikariDataSource(config);
        LedgerSchema.migrate(database);
    }

    @Override
    public String title() {
        return "record " + EVENTS + " units in PostgreSQL, " + BATCH + " rows a transaction";
    }

    @Override
    public List<Contender> contenders() {
        return List.of(way("JDBC batch insert of the same rows", this::insert), way("Interlock relay", this::relay));
    }

    /** Records the units of a pool; answers in how many nanoseconds. */
    private interface Recording {
        long record(String pool) throws Exception;
    }

    private Contender way(String name, Recording recording) {
        return new Contender() {
            @Override
            public String name() {
                return name;
            }

            @Override
            public Measurement run(long nanos) throws Exception {
                String pool = "relay" + POOLS.incrementAndGet();
                issueAll(pool);
                return new Measurement(EVENTS, recording.record(pool), Driver.histogram(), "");
            }
        };
    }

    private void issueAll(String name) throws InterruptedException {
        Pool pool = interlock.pool(name);
        pool.create(PoolConfig.of(EVENTS));
        Semaphore window = new Semaphore(IN_FLIGHT);
        for (int i = 0; i < EVENTS; i++) {
            window.acquire();
            pool.async().issue("user" + i, "request" + i).whenComplete((result, error) -> window.release());
        }
        window.acquire(IN_FLIGHT);
    }

    private long relay(String name) throws Exception {
        CompletableFuture<Void> done = new CompletableFuture<>();
        AtomicLong recorded = new AtomicLong();
        LedgerListener counting = new LedgerListener() {
            @Override
            public void recorded(int events, long lag) {
                // With the creation of the pool there is one event more.
                if (recorded.addAndGet(events) > EVENTS) {
                    done.complete(null);
                }
            }
        };
        long start = System.nanoTime();
        RelayOptions options = RelayOptions.DEFAULTS.withBatchEvents(BATCH);
        try (Relay relay = Relay.of(interlock.pool(name), name, database, options, counting)) {
            relay.start();
            done.get(1, TimeUnit.MINUTES);
            return System.nanoTime() - start;
        }
    }

    private long insert(String pool) throws SQLException {
        long start = System.nanoTime();
        try (Connection connection = database.getConnection();
                PreparedStatement insert = connection.prepareStatement(
                        "INSERT INTO interlock_event (pool, epoch, shard, seq,"
                                + " kind, delta, user_id, nth, request_id, occurred_at) VALUES (?, 1, 0, ?, 'ISSUED', -1, ?, 1, ?, ?)")) {
            connection.setAutoCommit(false);
            for (int i = 0; i < EVENTS; i++) {
                insert.setString(1, pool);
                insert.setLong(2, i + 1L);
                insert.setString(3, "user" + i);
                insert.setString(4, "request" + i);
                insert.setTimestamp(5, new Timestamp(System.currentTimeMillis()));
                insert.addBatch();
                if (i % BATCH == BATCH - 1) {
                    insert.executeBatch();
                    connection.commit();
                }
            }
        }
        return System.nanoTime() - start;
    }

    @Override
    public int redisPort() {
        return server.port();
    }

    @Override
    public void close() {
        interlock.close();
        database.close();
        postgres.close();
        server.close();
    }
}
