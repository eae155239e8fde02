// SPDX-License-Identifier: Apache-2.0
package dev.interlock.flashsale;

import static org.assertj.core.api.Assertions.assertThat;

import dev.interlock.Interlock;
import dev.interlock.embedded.PostgresServer;
import dev.interlock.embedded.RedisServer;
import dev.interlock.ledger.LedgerListener;
import dev.interlock.ledger.LedgerSchema;
import dev.interlock.ledger.Relay;
import dev.interlock.ledger.RelayOptions;
import dev.interlock.lock.Lease;
import dev.interlock.pool.PoolConfig;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.postgresql.ds.PGSimpleDataSource;

/** {@code locks} and {@code pool} at real servers. */
class LocksPoolIT {
    private final PrintStream realOut = System.out;
    private final ByteArrayOutputStream out = new ByteArrayOutputStream();

    @AfterEach
    void restore() {
        System.setOut(realOut);
    }

    private String run(int code, String... line) {
        out.reset();
        System.setOut(new PrintStream(out, true, StandardCharsets.UTF_8));
        assertThat(Main.execute(line)).isEqualTo(code);
        return out.toString(StandardCharsets.UTF_8);
    }

    @Test
    void locksAreListedShownAndReleased() {
        try (RedisServer redis = RedisServer.start();
                Interlock interlock = Interlock.connect(redis.uri());
                Lease lease = interlock.lock("stock:1").tryAcquire().orElseThrow()) {
            String uri = redis.uri();
            assertThat(run(0, "locks", "list", "--redis", uri))
                    .startsWith("stock:1  fence " + lease.fence())
                    .contains(":" + ProcessHandle.current().pid(), "waiting processes 0")
                    .hasLineCount(1);
            assertThat(run(0, "locks", "show", "stock:1", "--redis", uri)).contains("fence " + lease.fence());
            assertThat(run(3, "locks", "show", "other", "--redis", uri)).contains("nobody holds other");
            assertThat(run(0, "locks", "release", "stock:1", "--redis", uri)).contains("released stock:1");
            assertThat(run(3, "locks", "release", "stock:1", "--redis", uri)).contains("nobody held stock:1");
            assertThat(run(0, "locks", "list", "--redis", uri)).isEmpty();
            assertThat(run(2, "locks", "list", "--redis", uri, "--most", "0")).isEmpty();
            assertThat(run(2, "locks", "show", " x", "--redis", uri)).isEmpty();
        }
        assertThat(run(1, "locks", "list", "--redis", "redis://127.0.0.1:1")).isEmpty();
    }

    @Test
    void aPoolIsShownAndReconciled() {
        try (RedisServer redis = RedisServer.start();
                PostgresServer postgres = PostgresServer.start();
                Interlock interlock = Interlock.connect(redis.uri())) {
            PGSimpleDataSource source = new PGSimpleDataSource();
            source.setUrl(postgres.jdbcUrl());
            LedgerSchema.migrate(source);
            interlock.pool("p").create(PoolConfig.of(5));
            interlock.pool("p").issue("anna", "r");
            String[] reconcile = {"pool", "reconcile", "p", "--redis", redis.uri(), "--db", postgres.jdbcUrl()};
            assertThat(run(0, "pool", "show", "p", "--redis", redis.uri()))
                    .contains("left 4", "created with 5", "users 1", "closes never");
            assertThat(run(3, "pool", "show", "q", "--redis", redis.uri())).contains("there is no pool q");
            try (Relay relay =
                    Relay.of(interlock.pool("p"), "p", source, RelayOptions.DEFAULTS, new LedgerListener() {})) {
                relay.start();
                assertThat(run(0, reconcile)).contains("Consistent");
            }
            reconcile[2] = "q";
            assertThat(run(3, reconcile)).contains("NoPool");
        }
    }
}
