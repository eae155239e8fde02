// SPDX-License-Identifier: Apache-2.0
package dev.interlock.ledger;

import com.zaxxer.hikari.HikariDataSource;
import dev.interlock.Interlock;
import dev.interlock.embedded.PostgresServer;
import dev.interlock.embedded.RedisServer;
import dev.interlock.pool.Pool;
import dev.interlock.pool.PoolConfig;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/**
 * Records a backlog, then rebuilds the pool from it, and prints how long that took and how much heap was in use. Run it by hand
 * with the heap that is to be enough.
 *
 * <p>Argument: events.
 */
final class BacklogMain {
    private static final int IN_FLIGHT = 2_000;

    private BacklogMain() {}

    public static void main(String[] args) throws InterruptedException {
        long events = Long.parseLong(args[0]);
        try (RedisServer redis = RedisServer.start();
                PostgresServer postgres = PostgresServer.start()) {
            run(events, redis.uri(), postgres.jdbcUrl());
        }
        System.exit(0);
    }

    private static void run(long events, String redis, String postgres) throws InterruptedException {
        try (HikariDataSource database = Servers.dataSource(postgres + "&socketTimeout=60");
                Interlock interlock = Servers.connect(redis)) {
            LedgerSchema.migrate(database);
            Pool pool = interlock.pool("backlog");
            pool.create(PoolConfig.of(events + 10));
            Semaphore permits = new Semaphore(IN_FLIGHT);
            long start = System.nanoTime();
            for (long i = 0; i < events; i++) {
                permits.acquire();
                pool.async().issue("user-" + i, "request-" + i).whenComplete((result, failure) -> permits.release());
            }
            permits.acquire(IN_FLIGHT);
            report("issued", events, start);
            Ledger ledger = Ledger.of(database);
            start = System.nanoTime();
            try (Relay relay = Relay.of(pool, "backlog", database, RelayOptions.DEFAULTS.withRebuild(false), new Notes())) {
                relay.start();
                while (ledger.position("backlog").map(Ledger.Position::sequence).orElse(-1L) < events) {
                    LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(20));
                }
            }
            report("recorded", events, start);
            start = System.nanoTime();
            RebuildResult result =
                    Rebuild.of(pool, "backlog", database, RelayOptions.DEFAULTS, new Notes()).force();
            report("rebuilt", events, start);
            System.out.println(result);
        }
    }

    private static void report(String what, long events, long start) {
        double seconds = (System.nanoTime() - start) / 1e9;
        long used = (Runtime.getRuntime().totalMemory() - Runtime.getRuntime().freeMemory()) >> 20;
        System.out.printf("%s %d in %.1f s, %.0f a second, heap %d MiB%n", what, events, seconds, events / seconds, used);
    }
}
