// SPDX-License-Identifier: Apache-2.0
package dev.interlock.lock;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.interlock.Interlock;
import dev.interlock.Topology;
import io.lettuce.core.SetArgs;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What every lock promises about loss, fences and waiting; the subclasses say on which topology. */
abstract class LockWaitContract extends LockSetup {
    LockWaitContract(Topology topology) {
        super(topology);
    }

    // Semantics 5: lost signal

    @ParameterizedTest
    @ValueSource(strings = {"DEL", "FLUSHALL", "SET", "FORCE"})
    void rule5AHolderIsToldWithin100MsThatItsKeyIsGone(String how) throws Exception {
        String name = Topology.name("job");
        Lease lease = here.lock(name).tryAcquire().orElseThrow();
        CompletableFuture<Long> told = new CompletableFuture<>();
        lease.onLost(() -> told.complete(System.nanoTime()));
        // Twice past the age at which watching begins: a lost push would show as a wait for the next renewal.
        Awaitility.await().pollDelay(Duration.ofMillis(120)).until(() -> true);
        switch (how) {
            case "DEL" -> redis.del(key(name));
            case "FLUSHALL" -> redis.flushall();
            case "SET" -> redis.set(key(name), "another", SetArgs.Builder.px(1_000));
            default -> assertThat(there.lock(name).forceRelease()).isTrue();
        }
        long gone = System.nanoTime();
        assertThat(told.get(5, TimeUnit.SECONDS) - gone).isLessThan(TimeUnit.MILLISECONDS.toNanos(100));
        assertThatThrownBy(lease::ensureValid).isInstanceOf(LeaseLostException.class);
        lease.close();
        assertThat(redis.exists(key(name))).isEqualTo(how.equals("SET") ? 1 : 0);
    }

    @Test
    void rule5AHolderIsToldAfterARenewalAsWell() throws Exception {
        String name = Topology.name("job");
        Lease lease =
                here.lock(name, leased(Duration.ofSeconds(3))).tryAcquire().orElseThrow();
        CompletableFuture<Long> told = new CompletableFuture<>();
        lease.onLost(() -> told.complete(System.nanoTime()));
        Awaitility.await().pollDelay(Duration.ofMillis(1_300)).atMost(LONG).until(() -> redis.pttl(key(name)) > 2_000);
        redis.del(key(name));
        long gone = System.nanoTime();
        assertThat(told.get(5, TimeUnit.SECONDS) - gone).isLessThan(TimeUnit.MILLISECONDS.toNanos(100));
        lease.close();
    }

    // Semantics 6: fence

    @Test
    void rule6EveryLaterGrantHasALargerFenceWhateverHappened() throws Exception {
        String name = Topology.name("job");
        List<Long> fences = new ArrayList<>();
        for (int round = 0; round < 3; round++) {
            try (Lease lease = (round == 1 ? there : here).lock(name).acquire(LONG)) {
                fences.add(lease.fence());
            }
        }
        Lease lapsed = here.lock(name, LockOptions.DEFAULTS.withoutRenewal(LockOptions.MIN_LEASE_TIME))
                .acquire(LONG);
        fences.add(lapsed.fence());
        Lease forced = there.lock(name).acquire(LONG);
        fences.add(forced.fence());
        assertThat(here.lock(name).forceRelease()).isTrue();
        assertThat(here.lock(name).forceRelease()).isFalse();
        fences.add(here.lock(name).acquire(LONG).fence());
        redis.flushall();
        Lease flushed = there.lock(name).acquire(LONG);
        fences.add(flushed.fence());
        List<CompletableFuture<Lease>> passed = new ArrayList<>();
        for (int i = 0; i < 3; i++) {
            passed.add(there.lock(name).async().acquire(LONG).toCompletableFuture());
        }
        flushed.close();
        for (CompletableFuture<Lease> next : passed) {
            Lease lease = next.get(5, TimeUnit.SECONDS);
            fences.add(lease.fence());
            lease.close();
        }
        fences.add(here.lock(name).acquire(LONG).fence());
        here.lock(name).forceRelease();
        assertThat(fences).isSorted().doesNotHaveDuplicates();
        assertThat(fences).allSatisfy(fence -> assertThat(fence).isBetween(1L, 1L << 53));
        assertThat(redis.pttl(key(name) + ":fence"))
                .isGreaterThan(Duration.ofDays(1).toMillis());
    }

    @Test
    void rule6AFenceAheadOfTheClockGrowsByTheRoomOfAGrant() throws Exception {
        String name = Topology.name("job");
        long ahead = 4_000_000_000_000_000L;
        redis.set(key(name) + ":fence", Long.toString(ahead), SetArgs.Builder.px(60_000));
        try (Lease lease = here.lock(name).acquire(LONG)) {
            assertThat(lease.fence()).isEqualTo(ahead + LockLane.ROOM);
        }
        redis.del(key(name) + ":fence");
    }

    // Semantics 7: waiting

    @Test
    void rule7WaitersOfOneJvmAreServedInOrderWithoutACallToRedis() throws Exception {
        String name = Topology.name("job");
        Lease lease = here.lock(name).acquire(LONG);
        String value = redis.get(key(name));
        List<CompletableFuture<Lease>> waiting = new ArrayList<>();
        for (int i = 0; i < 50; i++) {
            waiting.add(here.lock(name).async().acquire(LONG).toCompletableFuture());
        }
        assertThat(here.lock(name).owner().orElseThrow().waiting()).isZero();
        for (CompletableFuture<Lease> next : waiting) {
            assertThat(next).isNotDone();
            long fence = lease.fence();
            lease.close();
            lease = next.get(5, TimeUnit.SECONDS);
            assertThat(lease.fence()).isEqualTo(fence + 1);
            assertThat(redis.get(key(name))).isEqualTo(value);
        }
        lease.close();
        assertThat(redis.exists(key(name))).isZero();
    }

    @Test
    void rule7JvmsAreServedInOrderAndEachGetsTheLockByPush() throws Exception {
        String name = Topology.name("job");
        try (Interlock third = Topology.connect(server)) {
            Lease lease = here.lock(name).acquire(LONG);
            List<CompletableFuture<Lease>> waiting = new ArrayList<>();
            for (Interlock jvm : List.of(there, third)) {
                waiting.add(jvm.lock(name).async().acquire(LONG).toCompletableFuture());
                long queued = waiting.size();
                Awaitility.await()
                        .atMost(LONG)
                        .until(() -> here.lock(name).owner().orElseThrow().waiting() == queued);
            }
            for (CompletableFuture<Lease> next : waiting) {
                assertThat(next).isNotDone();
                long fence = lease.fence();
                lease.close();
                long released = System.nanoTime();
                lease = next.get(5, TimeUnit.SECONDS);
                assertThat(System.nanoTime() - released).isLessThan(TimeUnit.MILLISECONDS.toNanos(400));
                assertThat(lease.fence()).isGreaterThan(fence);
            }
            Lease last = lease;
            Awaitility.await().atMost(LONG).until(() -> last.validFor().toMillis() > 25_000);
            assertThat(redis.pttl(key(name))).isGreaterThan(25_000);
            last.close();
        }
        assertThat(redis.exists(key(name), key(name) + ":queue", key(name) + ":waiters"))
                .isZero();
    }

    @Test
    void rule7AHolderWhoseWaitersGoOnForeverLetsAnotherJvmIn() throws Exception {
        String name = Topology.name("job");
        AtomicInteger passes = new AtomicInteger();
        CompletableFuture<Boolean> stop = new CompletableFuture<>();
        for (int i = 0; i < 4; i++) {
            circle(name, passes, stop);
        }
        Awaitility.await().atMost(LONG).until(() -> passes.get() > 100);
        long begin = System.nanoTime();
        Lease theirs = there.lock(name).acquire(LONG);
        assertThat(System.nanoTime() - begin).isLessThan(TimeUnit.SECONDS.toNanos(1));
        int before = passes.get();
        theirs.close();
        Awaitility.await().atMost(LONG).until(() -> passes.get() > before + 100);
        stop.complete(true);
        Awaitility.await().atMost(LONG).until(() -> redis.exists(key(name)) == 0);
    }

    private void circle(String name, AtomicInteger passes, CompletableFuture<Boolean> stop) {
        here.lock(name).async().acquire(LONG).thenAccept(lease -> {
            passes.incrementAndGet();
            lease.async().release();
            if (!stop.isDone()) {
                circle(name, passes, stop);
            }
        });
    }

    @ParameterizedTest
    @EnumSource(LockOptions.Waiting.class)
    void everyWayOfWaitingGetsTheLockInTheEndAndLeavesNothing(LockOptions.Waiting waiting) throws Exception {
        String name = Topology.name("job");
        LockOptions options = LockOptions.DEFAULTS.withWaiting(waiting);
        Lease lease = there.lock(name, options).acquire(LONG);
        List<CompletableFuture<Lease>> all = new ArrayList<>();
        for (Interlock jvm : List.of(here, there, here, there)) {
            all.add(jvm.lock(name, options).async().acquire(LONG).toCompletableFuture());
        }
        AtomicInteger holding = new AtomicInteger();
        all.forEach(next -> next.thenAccept(mine -> {
            assertThat(holding.incrementAndGet()).isOne();
            holding.decrementAndGet();
            mine.async().release();
        }));
        lease.close();
        for (CompletableFuture<Lease> next : all) {
            next.get(5, TimeUnit.SECONDS);
        }
        onlyTheFenceIsLeft(name);
    }

    @Test
    void theOwnerRecordSaysWhoHoldsSinceWhen() throws Exception {
        String name = Topology.name("job");
        assertThat(here.lock(name).owner()).isEmpty();
        try (Lease lease = here.lock(name).acquire(LONG)) {
            for (LockView view : LockView.values()) {
                LockOwner owner = view.owner(there.lock(name)).orElseThrow();
                assertThat(owner.pid()).isEqualTo(ProcessHandle.current().pid());
                assertThat(owner.fence()).isEqualTo(lease.fence());
                assertThat(owner.since().orElseThrow())
                        .isBeforeOrEqualTo(Instant.now().plusSeconds(1));
                assertThat(owner.remaining().orElseThrow()).isBetween(Duration.ofSeconds(20), Duration.ofSeconds(30));
            }
        }
        for (LockView view : LockView.values()) {
            Lease lease = here.lock(name).acquire(LONG);
            assertThat(view.forceRelease(there.lock(name))).isTrue();
            assertThat(view.owner(here.lock(name))).isEmpty();
            lease.close();
        }
    }
}
