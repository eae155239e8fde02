// SPDX-License-Identifier: Apache-2.0
package dev.interlock;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.interlock.embedded.RedisServer;
import dev.interlock.limit.Limit;
import dev.interlock.lock.Lease;
import dev.interlock.lock.LockOptions;
import dev.interlock.pool.PoolConfig;
import io.lettuce.core.RedisClient;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;

/** What a listener is told about operations. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class OperationIT {
    private static final Duration LONG = Duration.ofSeconds(10);

    private final RedisServer server = RedisServer.start();
    private final ConcurrentLinkedQueue<String> told = new ConcurrentLinkedQueue<>();
    private Interlock interlock;

    @BeforeEach
    void connect() {
        told.clear();
        interlock = Interlock.builder()
                .uri(server.uri())
                .commandTimeout(Topology.PATIENCE)
                .listener(new InterlockListener() {
                    @Override
                    public void operationEnded(Operation operation, String outcome, long nanos) {
                        assertThat(operation.outcomes()).contains(outcome);
                        assertThat(nanos > 0).isEqualTo(operation.timed());
                        told.add(operation + " " + outcome);
                    }
                })
                .build();
    }

    @AfterEach
    void close() {
        interlock.close();
    }

    @AfterAll
    void stop() {
        server.close();
    }

    private void expect(String... events) {
        await().atMost(LONG).untilAsserted(() -> assertThat(told).containsExactlyInAnyOrder(events));
    }

    @Test
    void tellsOfALockThatPassesFromHandToHand() throws Exception {
        Lease first = interlock.lock("passed").acquire(LONG);
        assertThat(interlock.lock("passed").tryAcquire()).isEmpty();
        CompletableFuture<Lease> next =
                interlock.lock("passed").async().acquire(LONG).toCompletableFuture();
        first.release();
        next.get().release();
        expect(
                "LOCK_ACQUIRE granted",
                "LOCK_ACQUIRE refused",
                "LOCK_ACQUIRE granted",
                "LOCK_HANDOVER local",
                "LOCK_HOLD released",
                "LOCK_HOLD released");
    }

    @Test
    void tellsOfALockThatComesFromAnotherProcess() throws Exception {
        try (Interlock other = Topology.connect(server)) {
            Lease theirs = other.lock("given").acquire(LONG);
            CompletableFuture<Lease> mine =
                    interlock.lock("given").async().acquire(LONG).toCompletableFuture();
            await().atMost(LONG)
                    .until(() -> other.lock("given").owner().orElseThrow().waiting() == 1);
            theirs.release();
            mine.get().release();
        }
        await().atMost(LONG)
                .untilAsserted(() -> assertThat(told).contains("LOCK_HANDOVER remote", "LOCK_HOLD released"));
    }

    @Test
    void tellsOfALostLeaseAndOfAWaitThatWasCancelled() throws Exception {
        RedisClient raw = RedisClient.create(server.uri());
        Lease lease = interlock.lock("lost").acquire(LONG);
        CompletableFuture<Lease> wait =
                interlock.lock("lost").async().acquire(LONG).toCompletableFuture();
        wait.cancel(false);
        expect("LOCK_ACQUIRE granted", "LOCK_ACQUIRE cancelled");
        raw.connect().sync().flushall();
        raw.shutdown();
        await().atMost(LONG).until(() -> !lease.isValid());
        await().atMost(LONG).untilAsserted(() -> assertThat(told).contains("LOCK_HOLD lost"));
        assertThat(told).doesNotContain("LOCK_HOLD released");
    }

    @Test
    void tellsOfRenewals() throws Exception {
        Lease lease = interlock
                .locks()
                .semaphore("renewed", 1, LockOptions.DEFAULTS.withLeaseTime(Duration.ofMillis(600)))
                .acquire(LONG);
        await().atMost(LONG).untilAsserted(() -> assertThat(told).contains("SEMAPHORE_RENEW renewed"));
        lease.release();
        assertThat(told).contains("SEMAPHORE_ACQUIRE granted", "SEMAPHORE_HOLD released");
    }

    @Test
    void tellsWhatALimiterDecidedAndWho() {
        var limiter = interlock.rateLimiter("told", Limit.slidingWindow(1, Duration.ofMinutes(1)));
        for (int i = 0; i < 3; i++) {
            limiter.tryAcquire("user");
        }
        expect("LIMITER_DECIDE allowed", "LIMITER_DECIDE denied", "LIMITER_DECIDE denied_locally");
    }

    @Test
    void tellsOfEveryOtherPrimitive() throws Exception {
        interlock.locks().readWriteLock("told").reading().acquire(LONG).release();
        interlock.pool("told").create(PoolConfig.of(1));
        interlock.pool("told").issue("user", "request");
        interlock.pool("told").issue("other", "request");
        interlock.stock("none").take(1, "request");
        interlock.stockGroup("told").initialize("a", 1);
        interlock.stockGroup("told").take(Map.of("a", 1L), "request");
        interlock.value("told").compareAndSet(null, "x");
        interlock.versioned("told", Codec.utf8()).compareAndSet(7, "x");
        interlock.idempotency("told").run("key", "fingerprint", () -> "done");
        expect(
                "RWLOCK_ACQUIRE granted",
                "RWLOCK_HOLD released",
                "POOL_ISSUE issued",
                "POOL_ISSUE sold_out",
                "STOCK_TAKE unknown",
                "STOCK_ORDER taken",
                "VALUE_SWAP success",
                "VERSIONED_WRITE not_found",
                "IDEMPOTENCY_RUN completed");
    }
}
