// SPDX-License-Identifier: Apache-2.0
package dev.interlock.lock;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.interlock.Interlock;
import dev.interlock.NotExecutedException;
import dev.interlock.Topology;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;

/** What a lock does for callers that are in a hurry, interrupted or cancelled. */
class LockCallerIT extends LockSetup {
    private static final Duration SECOND = Duration.ofSeconds(1);

    LockCallerIT() {
        super(Topology.STANDALONE);
    }

    private void waitingHere(String name, int count) {
        Awaitility.await()
                .atMost(LONG)
                .until(() -> there.lock(name).owner().map(LockOwner::waiting).orElse(0L) == count);
    }

    // Semantics 8: deadlines and interrupts

    @Test
    void rule8AWaitEndsInTimeWithWaitersHereAndHoldersElsewhere() throws Exception {
        String name = Topology.name("job");
        try (Lease lease = there.lock(name).acquire(LONG)) {
            CompletableFuture<Lease> first =
                    here.lock(name).async().acquire(LONG).toCompletableFuture();
            waitingHere(name, 1);
            LockDeadlines.endsInTime(
                    Duration.ofMillis(300),
                    wait -> assertThat(here.lock(name).tryAcquire(wait)).isEmpty());
            first.cancel(false);
            LockDeadlines.endsInTime(
                    Duration.ofMillis(300),
                    wait -> assertThat(here.lock(name).tryAcquire(wait)).isEmpty());
            lease.ensureValid();
        }
        onlyTheFenceIsLeft(name);
    }

    @Test
    void rule8AnInterruptedThreadIsRefusedBeforeAnythingIsSent() {
        String name = Topology.name("job");
        Thread.currentThread().interrupt();
        assertThatThrownBy(() -> here.lock(name).acquire(SECOND)).isInstanceOf(InterruptedException.class);
        assertThat(Thread.currentThread().isInterrupted()).isFalse();
        Thread.currentThread().interrupt();
        assertThatThrownBy(() -> here.lock(name).tryAcquire(Duration.ZERO)).isInstanceOf(InterruptedException.class);
        assertThat(Thread.interrupted()).isFalse();
        assertThat(redis.keys(key(name) + "*")).isEmpty();
    }

    @Test
    void rule8AnInterruptDoesNotStopOneAttemptNorARelease() {
        String name = Topology.name("job");
        Thread.currentThread().interrupt();
        Optional<Lease> lease = here.lock(name).tryAcquire();
        assertThat(Thread.currentThread().isInterrupted()).isTrue();
        assertThat(lease.orElseThrow().release()).isEqualTo(new ReleaseResult.Released());
        assertThat(Thread.interrupted()).isTrue();
    }

    @Test
    void rule8AnInterruptEndsAWaitAndLeavesNothing() throws Exception {
        String name = Topology.name("job");
        Lease lease = there.lock(name).acquire(LONG);
        FutureTask<Lease> task = new FutureTask<>(() -> here.lock(name).acquire(LONG));
        Thread thread = new Thread(task);
        thread.start();
        waitingHere(name, 1);
        thread.interrupt();
        assertThatThrownBy(() -> task.get(5, TimeUnit.SECONDS))
                .isInstanceOf(ExecutionException.class)
                .hasCauseInstanceOf(InterruptedException.class);
        waitingHere(name, 0);
        lease.close();
        onlyTheFenceIsLeft(name);
    }

    /** L2: ten names at a time, each with two threads that are interrupted at a random moment, 500 times. */
    @Test
    void rule8TenThousandInterruptsAtRandomMomentsLeaveNoLockAndExtendNone() throws Exception {
        long seed = System.nanoTime();
        String tag = Topology.name("job");
        AtomicInteger acquired = new AtomicInteger();
        AtomicInteger interrupted = new AtomicInteger();
        List<CompletableFuture<Void>> names = new ArrayList<>();
        ExecutorService pool = Executors.newCachedThreadPool();
        try {
            for (int i = 0; i < 10; i++) {
                String name = tag + i;
                Random random = new Random(seed + i);
                names.add(CompletableFuture.runAsync(
                        () -> interruptBoth(name, random, 500, acquired, interrupted), pool));
            }
            for (CompletableFuture<Void> done : names) {
                done.get(60, TimeUnit.SECONDS);
            }
        } finally {
            pool.shutdownNow();
        }
        assertThat(acquired.get() + interrupted.get()).as("seed " + seed).isEqualTo(10_000);
        assertThat(acquired.get()).as("seed " + seed).isPositive();
        assertThat(interrupted.get()).as("seed " + seed).isPositive();
        for (int i = 0; i < 10; i++) {
            onlyTheFenceIsLeft(tag + i);
        }
    }

    private void interruptBoth(String name, Random random, int rounds, AtomicInteger... outcomes) {
        for (int round = 0; round < rounds; round++) {
            List<Thread> threads = new ArrayList<>();
            for (Interlock jvm : List.of(here, there)) {
                Thread thread = new Thread(() -> {
                    try (Lease lease = jvm.lock(name).acquire(LONG)) {
                        assertThat(lease.isValid()).isTrue();
                        outcomes[0].incrementAndGet();
                    } catch (InterruptedException e) {
                        outcomes[1].incrementAndGet();
                    }
                });
                thread.start();
                threads.add(thread);
            }
            LockSupport.parkNanos(random.nextInt(1_500_000));
            threads.forEach(Thread::interrupt);
            try {
                for (Thread thread : threads) {
                    thread.join(10_000);
                    assertThat(thread.isAlive()).isFalse();
                }
            } catch (InterruptedException e) {
                throw new IllegalStateException(e);
            }
        }
    }

    @Test
    void aCancelledFutureReleasesWhatIsGrantedLate() throws Exception {
        String name = Topology.name("job");
        for (int i = 0; i < 200; i++) {
            CompletableFuture<?> future = i % 2 == 0
                    ? here.lock(name).async().tryAcquire(LONG).toCompletableFuture()
                    : here.lock(name).async().acquire(LONG).toCompletableFuture();
            future.cancel(false);
            assertThatThrownBy(future::join).isInstanceOf(CancellationException.class);
        }
        there.lock(name).acquire(SECOND).close();
        onlyTheFenceIsLeft(name);
    }

    @Test
    void closingAnInterlockEndsItsWaitsAndTellsItsHolders() throws Exception {
        String name = Topology.name("job");
        String held = Topology.name("held");
        Lease lease = there.lock(name).acquire(LONG);
        CompletableFuture<Lease> waiting;
        Lease lost;
        try (Interlock closing = Topology.connect(server)) {
            waiting = closing.lock(name).async().acquire(LONG).toCompletableFuture();
            lost = closing.lock(held).acquire(LONG);
        }
        assertThatThrownBy(() -> waiting.get(5, TimeUnit.SECONDS)).hasCauseInstanceOf(NotExecutedException.class);
        assertThat(lost.isValid()).isFalse();
        redis.del(key(held));
        lease.close();
    }
}
