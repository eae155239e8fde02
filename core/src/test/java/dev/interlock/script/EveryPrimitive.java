// SPDX-License-Identifier: Apache-2.0
package dev.interlock.script;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.interlock.Codec;
import dev.interlock.Interlock;
import dev.interlock.Topology;
import dev.interlock.idempotency.RunResult;
import dev.interlock.inventory.Inventory;
import dev.interlock.limit.Limit;
import dev.interlock.limit.RateLimiter;
import dev.interlock.lock.FencedValue;
import dev.interlock.lock.HeldLock;
import dev.interlock.lock.Lease;
import dev.interlock.lock.Permits;
import dev.interlock.lock.ReadWriteLock;
import dev.interlock.pool.Adjustment;
import dev.interlock.pool.CancelResult;
import dev.interlock.pool.ConfirmResult;
import dev.interlock.pool.DropResult;
import dev.interlock.pool.HoldResult.Held;
import dev.interlock.pool.IssueResult.Issued;
import dev.interlock.pool.Outbox;
import dev.interlock.pool.Pool;
import dev.interlock.pool.PoolConfig;
import dev.interlock.pool.PoolControl;
import dev.interlock.pool.PoolEvent;
import dev.interlock.pool.Restoration;
import dev.interlock.stock.StockGroup;
import dev.interlock.value.Versioned;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;

/** Uses each primitive once, so that nearly every script runs. */
final class EveryPrimitive {
    private static final Duration WAIT = Duration.ofSeconds(10);

    private EveryPrimitive() {}

    static void use(Interlock interlock) {
        locks(interlock);
        limits(interlock);
        stock(interlock);
        pool(interlock);
        values(interlock);
        inventory(interlock);
    }

    private static void locks(Interlock interlock) {
        Lease lease = interlock.lock("a").tryAcquire().orElseThrow();
        CompletableFuture<Lease> next =
                interlock.lock("a").async().acquire(WAIT).toCompletableFuture();
        assertThat(interlock.lock("a").owner()).isPresent();
        lease.extend(Duration.ofSeconds(20));
        lease.close();
        next.join().close();
        ReadWriteLock readWrite = interlock.locks().readWriteLock("rw");
        Lease writing = readWrite.writing().tryAcquire().orElseThrow();
        readWrite.downgrade(writing);
        writing.close();
        Permits permits = interlock.semaphore("s", 2);
        Lease permit = permits.tryAcquire().orElseThrow();
        assertThat(permits.held()).isEqualTo(1);
        permit.close();
        interlock.locks().all(Set.of("x", "y")).tryAcquire().orElseThrow().close();
        FencedValue guarded = interlock.locks().fenced("row");
        assertThat(guarded.set(7, "seven")).isTrue();
        assertThat(guarded.admit(6)).isFalse();
    }

    private static void limits(Interlock interlock) {
        RateLimiter limiter = interlock.rateLimiter(
                "all",
                Limit.gcra(10, Duration.ofSeconds(1)),
                Limit.slidingWindow(10, Duration.ofSeconds(1)),
                Limit.slidingCounter(10, Duration.ofSeconds(1)),
                Limit.fixedWindow(10, Duration.ofSeconds(1)));
        assertThat(limiter.peek("u", 1).allowed()).isTrue();
        assertThat(limiter.refund(limiter.tryAcquire("u"))).isTrue();
        limiter.reset("u");
    }

    private static void stock(Interlock interlock) {
        interlock.stock("a").initialize(5);
        interlock.stock("a").add(1, "r1");
        interlock.stock("a").take(2, "r2");
        interlock.stock("a").giveBack("r2");
        interlock.stock("a").set(3);
        assertThat(interlock.stock("a").available()).hasValue(3);
        StockGroup group = interlock.stockGroup("g");
        group.initialize("p", 2);
        group.take(Map.of("p", 1L), "o1");
        group.giveBack("o1");
        assertThat(group.available("p")).hasValue(2);
    }

    private static void pool(Interlock interlock) {
        Pool pool = interlock.pool("p");
        pool.create(PoolConfig.of(2));
        Issued issued = (Issued) pool.issue("u1", "r1");
        assertThat(pool.issue("u2", "r2")).isInstanceOf(Issued.class);
        await().atMost(Topology.PATIENCE).until(() -> !(pool.issue("u3", "r3") instanceof Issued));
        pool.control().revoke("u1", issued.sequence(), "test");
        holds(pool);
        long epoch = pool.state().orElseThrow().epoch();
        pool.control().adjust(new Adjustment(epoch, pool.state().orElseThrow().sequence(), -1, "test"));
        try (Outbox outbox = pool.outbox()) {
            assertThat(outbox.read("0-0", 10, Duration.ZERO)).isNotEmpty();
            assertThat(outbox.fence(epoch, "test")).isTrue();
            assertThat(outbox.derive(epoch, 0)).isNotEmpty();
            assertThat(outbox.unfence(epoch, "test")).isTrue();
            outbox.backlog("0-0");
            outbox.trim("0-1");
            Restoration restoration = outbox.restoration();
            assertThat(restoration.seal(epoch + 1)).isTrue();
            assertThat(restoration.load(epoch + 1, List.of(new PoolEvent.Claim("u1", "r1", 1, 1))))
                    .isTrue();
            PoolConfig config = PoolConfig.of(1).withEpoch(epoch + 1);
            assertThat(restoration.open(new Restoration.Opening(config, 1_000, 1)))
                    .isTrue();
        }
    }

    private static void holds(Pool pool) {
        PoolControl control = pool.control();
        control.restock(3, "delivery");
        Held kept = (Held) pool.holds().hold("u4", 1, Duration.ofMinutes(1), "r4");
        Held given = (Held) pool.holds().hold("u5", 1, Duration.ofMinutes(1), "r5");
        assertThat(pool.holds().confirm(kept.id())).isInstanceOf(ConfirmResult.Confirmed.class);
        assertThat(pool.holds().cancel(given.id())).isInstanceOf(CancelResult.Cancelled.class);
        assertThat(pool.holds().find(given.id())).isPresent();
        pool.holds().hold("u6", 1, Duration.ofMillis(1), "r6");
        await().atMost(Topology.PATIENCE).until(() -> {
            pool.holds().sweep(10);
            return pool.state().orElseThrow().held() == 0;
        });
        control.schedule(null, null);
        assertThat(control.settings()).isPresent();
        assertThat(control.drop(1)).isInstanceOf(DropResult.StillOpen.class);
    }

    private static void values(Interlock interlock) {
        assertThat(interlock.value("v").update(old -> old + "x")).isEqualTo("nullx");
        Versioned<String> versioned = interlock.versioned("w", Codec.utf8());
        assertThat(versioned.update(old -> "y")).isPresent();
        assertThat(interlock.idempotency("i").run("k", "f", () -> "answer")).isInstanceOf(RunResult.Completed.class);
    }

    private static void inventory(Interlock interlock) {
        Inventory inventory = interlock.inventory();
        assertThat(inventory.undecided().toCompletableFuture().join()).isEmpty();
        assertThat(inventory.pools(10).toCompletableFuture().join()).containsExactly("p");
        Map<String, Map<String, Boolean>> scripts =
                inventory.scripts().toCompletableFuture().join();
        assertThat(scripts)
                .hasSize(1)
                .allSatisfy((node, loaded) ->
                        assertThat(loaded).hasSizeGreaterThan(30).doesNotContainValue(false));
        try (Lease lease = interlock.lock("seen").tryAcquire().orElseThrow()) {
            assertThat(interlock.locks().held(10)).extracting(HeldLock::name).contains(lease.name());
        }
    }
}
