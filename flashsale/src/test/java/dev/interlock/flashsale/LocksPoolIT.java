// SPDX-License-Identifier: Apache-2.0
package dev.interlock.flashsale;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.interlock.Interlock;
import dev.interlock.embedded.PostgresServer;
import dev.interlock.embedded.RedisServer;
import dev.interlock.ledger.Ledger;
import dev.interlock.ledger.LedgerListener;
import dev.interlock.ledger.LedgerSchema;
import dev.interlock.ledger.Relay;
import dev.interlock.ledger.RelayOptions;
import dev.interlock.lock.Lease;
import dev.interlock.pool.IssueResult;
import dev.interlock.pool.PoolConfig;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.InputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.postgresql.ds.PGSimpleDataSource;

/** {@code locks} and {@code pool} at real servers. */
class LocksPoolIT {
    private final PrintStream realOut = System.out;
    private final InputStream realIn = System.in;
    private final ByteArrayOutputStream out = new ByteArrayOutputStream();

    @AfterEach
    void restore() {
        System.setOut(realOut);
        System.setIn(realIn);
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

    @Test
    void aPoolThatRedisLostIsRebuiltFromTheDatabase() {
        try (RedisServer redis = RedisServer.start();
                PostgresServer postgres = PostgresServer.start();
                Interlock before = Interlock.connect(redis.uri())) {
            PGSimpleDataSource source = new PGSimpleDataSource();
            source.setUrl(postgres.jdbcUrl());
            LedgerSchema.migrate(source);
            before.pool("p").create(PoolConfig.of(5));
            before.pool("p").issue("anna", "r1");
            before.pool("p").issue("bert", "r2");
            try (Relay relay =
                    Relay.of(before.pool("p"), "p", source, RelayOptions.DEFAULTS, new LedgerListener() {})) {
                relay.start();
                await().atMost(Duration.ofSeconds(20))
                        .until(() -> Ledger.of(source).recordedUnits("p") == 2);
            }
            redis.expectOk("FLUSHALL");
            String[] rebuild = {"pool", "rebuild", "p", "--redis", redis.uri(), "--db", postgres.jdbcUrl()};
            answers("no\n");
            assertThat(run(4, rebuild)).isEmpty();
            answers("");
            assertThat(run(4, rebuild)).isEmpty();
            assertThat(run(3, "pool", "show", "p", "--redis", redis.uri())).contains("there is no pool p");
            answers("yes\n");
            assertThat(run(0, rebuild))
                    .startsWith("p  epoch 2  units recorded 2  users 2  left 3  lost claims 0  ")
                    .hasLineCount(1);
            try (Interlock after = Interlock.connect(redis.uri())) {
                assertThat(after.pool("p").issue("anna", "r1")).isEqualTo(new IssueResult.Replayed(1));
                assertThat(after.pool("p").issue("carl", "r3")).isInstanceOf(IssueResult.Issued.class);
                assertThat(after.pool("p").state().orElseThrow().available()).isEqualTo(2);
            }
            String[] sure = {"pool", "rebuild", "q", "--redis", redis.uri(), "--db", postgres.jdbcUrl(), "--yes"};
            assertThat(run(3, sure)).contains("nothing of a pool q");
            sure[6] = "jdbc:postgresql://127.0.0.1:1/x?user=x";
            assertThat(run(1, sure)).isEmpty();
            sure[2] = " x";
            assertThat(run(2, sure)).isEmpty();
        }
    }

    private static void answers(String text) {
        System.setIn(new ByteArrayInputStream(text.getBytes(StandardCharsets.UTF_8)));
    }
}
