// SPDX-License-Identifier: Apache-2.0
package dev.interlock.ledger;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.interlock.lock.DistributedLock;
import dev.interlock.lock.Fences;
import dev.interlock.lock.Lease;
import dev.interlock.lock.LockOptions;
import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.support.JdbcTransactionManager;
import org.springframework.transaction.support.TransactionTemplate;

/** The database's half of a lock, and the examples of its use. */
class FenceGuardIT {
    private static final Duration LONG = Duration.ofSeconds(20);

    @RegisterExtension
    static final SharedServers SERVERS = new SharedServers();

    private JdbcTemplate jdbc;
    private FenceGuard guard;

    @BeforeEach
    void oneArticleWithTenUnits() {
        jdbc = new JdbcTemplate(SERVERS.get().database);
        guard = new FenceGuard(SERVERS.get().database);
        jdbc.execute("CREATE TABLE IF NOT EXISTS article (id int PRIMARY KEY, quantity int NOT NULL,"
                + " fence bigint NOT NULL DEFAULT 0)");
        jdbc.execute("DELETE FROM article");
        jdbc.execute("DELETE FROM interlock_fence");
        jdbc.execute("INSERT INTO article (id, quantity) VALUES (42, 10)");
    }

    private int quantity() {
        Integer found = jdbc.queryForObject("SELECT quantity FROM article WHERE id = 42", Integer.class);
        return found == null ? -1 : found;
    }

    @Test
    void anOlderFenceChangesNoRow() {
        assertThat(guard.update("article", "quantity = ?", "id = ?", 7, 5, 42)).isOne();
        assertThat(guard.update("article", "quantity = quantity - 1", "id = ?", 7, 42))
                .isOne();
        assertThat(guard.update("article", "quantity = 99", "id = 42 OR true", 6))
                .isZero();
        assertThat(guard.update("article", "quantity = 99", "id = 43", 8)).isZero();
        assertThat(quantity()).isEqualTo(4);
        assertThat(guard.update("public.article", "quantity = 3", "id = 42", Fences.MAX))
                .isOne();
        assertThat(quantity()).isEqualTo(3);
    }

    @Test
    void aResourceWithoutAColumnHasItsFenceInTheHelperTable() {
        assertThat(guard.write("file", 7, () -> jdbc.execute("UPDATE article SET quantity = 7")))
                .isTrue();
        assertThat(guard.write("file", 6, () -> jdbc.execute("UPDATE article SET quantity = 6")))
                .isFalse();
        assertThat(guard.write("other", 6, () -> {})).isTrue();
        assertThat(quantity()).isEqualTo(7);
        assertThatThrownBy(() -> guard.write("file", 9, () -> {
                    jdbc.execute("UPDATE article SET quantity = 9");
                    throw new IllegalStateException("expected by this test");
                }))
                .hasMessage("expected by this test");
        assertThat(quantity()).isEqualTo(7);
        assertThat(guard.write("file", 8, () -> jdbc.execute("UPDATE article SET quantity = 8")))
                .isTrue();
        assertThat(quantity()).isEqualTo(8);
    }

    @Test
    void itJoinsTheTransactionOfItsCaller() {
        TransactionTemplate outer = new TransactionTemplate(new JdbcTransactionManager(SERVERS.get().database));
        outer.executeWithoutResult(status -> {
            assertThat(guard.write("file", 7, () -> jdbc.execute("UPDATE article SET quantity = 7")))
                    .isTrue();
            status.setRollbackOnly();
        });
        assertThat(quantity()).isEqualTo(10);
        assertThat(guard.write("file", 6, () -> {})).isTrue();
    }

    @ParameterizedTest
    @ValueSource(longs = {0, -1, Long.MIN_VALUE, Fences.MAX + 1})
    void whatIsNoFenceIsRefused(long fence) {
        assertThatThrownBy(() -> guard.update("article", "quantity = 1", "true", fence))
                .isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> guard.write("file", fence, () -> {})).isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void whatIsNoNameIsRefused() {
        for (String table : List.of("", "article; drop table article", "a.b.c", "\"article\"")) {
            assertThatThrownBy(() -> guard.update(table, "quantity = 1", "true", 1))
                    .isInstanceOf(IllegalArgumentException.class);
        }
        assertThatThrownBy(() -> guard.update("article", "quantity = ?", "true", 1))
                .isInstanceOf(IllegalArgumentException.class);
        for (String resource : List.of("", "a\0b", "x".repeat(513))) {
            assertThatThrownBy(() -> guard.write(resource, 1, () -> {})).isInstanceOf(IllegalArgumentException.class);
        }
        assertThat(quantity()).isEqualTo(10);
    }

    /** Example: a database row is decreased under a lock, with the fence guard. Nothing is sold twice, nothing is left. */
    @Test
    void exampleADatabaseRowIsDecreasedUnderALock() throws Exception {
        DistributedLock lock = SERVERS.get().interlock.lock("stock:" + System.nanoTime());
        AtomicInteger sold = new AtomicInteger();
        List<Thread> buyers = new ArrayList<>();
        for (int i = 0; i < 16; i++) {
            buyers.add(new Thread(() -> {
                try (Lease lease = lock.acquire(LONG)) {
                    // Read, decide, write: three steps that belong together.
                    if (quantity() > 0) {
                        lease.ensureValid();
                        sold.addAndGet(
                                guard.update("article", "quantity = ?", "id = ?", lease.fence(), quantity() - 1, 42));
                    }
                } catch (InterruptedException e) {
                    Thread.currentThread().interrupt();
                }
            }));
        }
        buyers.forEach(Thread::start);
        for (Thread buyer : buyers) {
            buyer.join(TimeUnit.SECONDS.toMillis(20));
        }
        assertThat(sold).hasValue(10);
        assertThat(quantity()).isZero();
    }

    /** L18: SIGSTOP of a holder in another JVM for twice its lease. */
    @Test
    void l18ThePausedHolderKnowsOnWakingAndItsWriteIsRefusedAnyway() throws Exception {
        String name = "article:" + System.nanoTime();
        int leaseMillis = 1_000;
        Process holder = new ProcessBuilder(
                        ProcessHandle.current().info().command().orElse("java"),
                        "-Xmx128m",
                        "-cp",
                        System.getProperty("surefire.test.class.path", System.getProperty("java.class.path")),
                        PausedHolderMain.class.getName(),
                        SERVERS.get().redis.uri(),
                        SERVERS.get().postgres.jdbcUrl(),
                        name,
                        String.valueOf(leaseMillis))
                .redirectError(ProcessBuilder.Redirect.DISCARD)
                .start();
        try (BufferedReader said =
                        new BufferedReader(new InputStreamReader(holder.getInputStream(), StandardCharsets.UTF_8));
                OutputStream tell = holder.getOutputStream()) {
            String held = said.readLine();
            assertThat(held).startsWith("held ");
            signal(holder, "STOP");
            long begin = System.nanoTime();
            LockOptions options = LockOptions.DEFAULTS.withLeaseTime(Duration.ofMillis(leaseMillis));
            try (Lease lease = SERVERS.get().interlock.lock(name, options).acquire(LONG)) {
                assertThat(lease.fence()).isGreaterThan(Long.parseLong(held.substring("held ".length())));
                assertThat(guard.update("article", "quantity = 5", "id = ?", lease.fence(), 42))
                        .isOne();
                assertThat(guard.write("article", lease.fence(), () -> {})).isTrue();
            }
            Awaitility.await()
                    .atMost(LONG)
                    .until(() -> System.nanoTime() - begin > TimeUnit.MILLISECONDS.toNanos(2L * leaseMillis));
            tell.write('\n');
            tell.flush();
            signal(holder, "CONT");
            assertThat(said.readLine()).isEqualTo("lost");
            assertThat(said.readLine()).isEqualTo("rows 0");
            assertThat(said.readLine()).isEqualTo("written false");
            assertThat(quantity()).isEqualTo(5);
        } finally {
            holder.destroyForcibly();
        }
        assertThat(holder.waitFor(10, TimeUnit.SECONDS)).isTrue();
    }

    private static void signal(Process process, String signal) throws Exception {
        Process kill = new ProcessBuilder("kill", "-" + signal, Long.toString(process.pid())).start();
        assertThat(kill.waitFor(10, TimeUnit.SECONDS)).isTrue();
        assertThat(kill.exitValue()).isZero();
    }
}
