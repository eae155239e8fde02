// SPDX-License-Identifier: Apache-2.0
package dev.interlock.lock;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.interlock.Topology;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.locks.Lock;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** What the documentation of {@link Lock} says, sentence by sentence, on each kind of thread that this JDK has. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class ThreadLockIT {
    private static final Duration LONG = Duration.ofSeconds(20);

    private static final int ROUNDS = 60;

    private Servers servers;

    @BeforeAll
    void start() {
        servers = new Servers(Topology.STANDALONE);
    }

    @AfterAll
    void stop() {
        servers.close();
    }

    /** How to start a thread. */
    enum Kind {
        PLATFORM,
        VIRTUAL;

        Thread start(Runnable work) {
            if (this == PLATFORM) {
                Thread thread = new Thread(work);
                thread.start();
                return thread;
            }
            try {
                return (Thread) Thread.class
                        .getMethod("startVirtualThread", Runnable.class)
                        .invoke(null, work);
            } catch (ReflectiveOperationException e) {
                throw new IllegalStateException(e);
            }
        }

        <T> T call(Callable<T> work) throws Exception {
            FutureTask<T> task = new FutureTask<>(work);
            start(task);
            return task.get(20, TimeUnit.SECONDS);
        }
    }

    static List<Kind> kinds() {
        return Runtime.version().feature() >= 21 ? List.of(Kind.values()) : List.of(Kind.PLATFORM);
    }

    private ThreadLock lock(String name) {
        return new ThreadLock(servers.here.lock(name));
    }

    private void awaitWaiting(Thread thread) {
        Awaitility.await()
                .atMost(LONG)
                .until(() ->
                        thread.getState() == Thread.State.WAITING || thread.getState() == Thread.State.TIMED_WAITING);
    }

    @ParameterizedTest
    @MethodSource("kinds")
    void anOwnerEntersAgainAndOthersOnlyAfterTheLastUnlock(Kind kind) throws Exception {
        ThreadLock lock = lock(Topology.name("jdk"));
        kind.call(() -> {
            lock.lock();
            lock.lockInterruptibly();
            assertThat(lock.tryLock()).isTrue();
            assertThat(lock.tryLock(1, TimeUnit.SECONDS)).isTrue();
            for (int holds = 4; holds > 0; holds--) {
                assertThat(lock.lease()).isPresent();
                assertThat(Kind.PLATFORM.<Boolean>call(lock::tryLock)).isFalse();
                lock.unlock();
            }
            assertThat(lock.lease()).isEmpty();
            return null;
        });
        assertThat(lock.tryLock()).isTrue();
        lock.unlock();
    }

    @ParameterizedTest
    @MethodSource("kinds")
    void onlyTheOwnerMayUnlock(Kind kind) throws Exception {
        ThreadLock lock = lock(Topology.name("jdk"));
        assertThatThrownBy(lock::unlock).isInstanceOf(IllegalMonitorStateException.class);
        lock.lock();
        kind.call(() -> {
            assertThatThrownBy(lock::unlock).isInstanceOf(IllegalMonitorStateException.class);
            return null;
        });
        assertThat(lock.lease().orElseThrow().isValid()).isTrue();
        lock.unlock();
        assertThatThrownBy(lock::unlock).isInstanceOf(IllegalMonitorStateException.class);
    }

    @ParameterizedTest
    @MethodSource("kinds")
    void anInterruptBeforeEndsTheInterruptibleFormsWithTheFlagClearedAndLeavesTheOthers(Kind kind) throws Exception {
        ThreadLock lock = lock(Topology.name("jdk"));
        kind.call(() -> {
            Thread.currentThread().interrupt();
            assertThatThrownBy(lock::lockInterruptibly).isInstanceOf(InterruptedException.class);
            assertThat(Thread.currentThread().isInterrupted()).isFalse();
            Thread.currentThread().interrupt();
            assertThatThrownBy(() -> lock.tryLock(1, TimeUnit.SECONDS)).isInstanceOf(InterruptedException.class);
            assertThat(Thread.interrupted()).isFalse();
            Thread.currentThread().interrupt();
            assertThatThrownBy(() -> lock.tryLock(-1, TimeUnit.SECONDS)).isInstanceOf(InterruptedException.class);
            Thread.currentThread().interrupt();
            assertThat(lock.tryLock()).isTrue();
            assertThat(Thread.currentThread().isInterrupted()).isTrue();
            lock.lock();
            lock.unlock();
            lock.unlock();
            assertThat(Thread.interrupted()).isTrue();
            return null;
        });
        assertThat(lock.tryLock()).isTrue();
        lock.unlock();
    }

    @ParameterizedTest
    @MethodSource("kinds")
    void anInterruptWhileWaitingEndsTheInterruptibleForms(Kind kind) throws Exception {
        ThreadLock lock = lock(Topology.name("jdk"));
        lock.lock();
        for (int form = 0; form < 2; form++) {
            int chosen = form;
            FutureTask<Boolean> task = new FutureTask<>(() -> {
                try {
                    if (chosen == 0) {
                        lock.lockInterruptibly();
                    } else {
                        lock.tryLock(1, TimeUnit.DAYS);
                    }
                    return false;
                } catch (InterruptedException e) {
                    return !Thread.currentThread().isInterrupted();
                }
            });
            Thread thread = kind.start(task);
            awaitWaiting(thread);
            thread.interrupt();
            assertThat(task.get(5, TimeUnit.SECONDS)).isTrue();
        }
        lock.unlock();
        assertThat(lock.tryLock()).isTrue();
        lock.unlock();
    }

    @ParameterizedTest
    @MethodSource("kinds")
    void anInterruptWhileWaitingDoesNotEndLockAndIsKept(Kind kind) throws Exception {
        ThreadLock lock = lock(Topology.name("jdk"));
        lock.lock();
        FutureTask<Boolean> task = new FutureTask<>(() -> {
            lock.lock();
            boolean kept = Thread.currentThread().isInterrupted();
            lock.unlock();
            return kept;
        });
        Thread thread = kind.start(task);
        awaitWaiting(thread);
        thread.interrupt();
        assertThatThrownBy(() -> task.get(200, TimeUnit.MILLISECONDS)).isInstanceOf(TimeoutException.class);
        lock.unlock();
        assertThat(task.get(5, TimeUnit.SECONDS)).isTrue();
    }

    @ParameterizedTest
    @MethodSource("kinds")
    void aTimedWaitThatIsOverAnswersFalseAndZeroOrLessDoesNotWait(Kind kind) throws Exception {
        ThreadLock lock = lock(Topology.name("jdk"));
        lock.lock();
        kind.call(() -> {
            long begin = System.nanoTime();
            assertThat(lock.tryLock(0, TimeUnit.SECONDS)).isFalse();
            assertThat(lock.tryLock(Long.MIN_VALUE, TimeUnit.DAYS)).isFalse();
            assertThat(System.nanoTime() - begin).isLessThan(TimeUnit.SECONDS.toNanos(5));
            begin = System.nanoTime();
            assertThat(lock.tryLock(150, TimeUnit.MILLISECONDS)).isFalse();
            assertThat(System.nanoTime() - begin).isGreaterThanOrEqualTo(TimeUnit.MILLISECONDS.toNanos(149));
            return null;
        });
        lock.unlock();
        assertThat(lock.tryLock(Long.MAX_VALUE, TimeUnit.DAYS)).isTrue();
        lock.unlock();
    }

    @Test
    void conditionsAreRefusedWithAReason() {
        assertThatThrownBy(lock(Topology.name("jdk"))::newCondition)
                .isInstanceOf(UnsupportedOperationException.class)
                .hasMessageContaining("no conditions");
    }

    @Test
    void aLostLeaseIsToldAtTheNextStep() throws Exception {
        String name = Topology.name("jdk");
        ThreadLock lock = lock(name);
        lock.lock();
        assertThat(servers.there.lock(name).forceRelease()).isTrue();
        Lease lease = lock.lease().orElseThrow();
        Awaitility.await().atMost(LONG).until(() -> !lease.isValid());
        assertThatThrownBy(lock::lock).isInstanceOf(LeaseLostException.class);
        Kind.PLATFORM.call(() -> {
            lock.lock();
            lock.unlock();
            return null;
        });
        assertThatThrownBy(lock::unlock).isInstanceOf(LeaseLostException.class).hasMessageContaining(name);
        assertThatThrownBy(lock::unlock).isInstanceOf(IllegalMonitorStateException.class);
    }

    @ParameterizedTest
    @MethodSource("kinds")
    void anUnprotectedCounterEndsExact(Kind kind) throws Exception {
        for (int round = 0; round < ROUNDS; round++) {
            countTogether(kind);
        }
    }

    /** Many short rounds: grants by push race with answers to older requests when a lock is new. */
    private void countTogether(Kind kind) throws Exception {
        String name = Topology.name("jdk");
        int[] counter = new int[1];
        List<FutureTask<Void>> tasks = new ArrayList<>();
        for (int t = 0; t < 16; t++) {
            Lock lock = t % 2 == 0 ? lock(name) : new ThreadLock(servers.there.lock(name));
            FutureTask<Void> task = new FutureTask<>(() -> {
                for (int i = 0; i < 20; i++) {
                    lock.lock();
                    try {
                        counter[0]++;
                    } finally {
                        lock.unlock();
                    }
                }
                return null;
            });
            tasks.add(task);
            kind.start(task);
        }
        for (FutureTask<Void> task : tasks) {
            task.get(30, TimeUnit.SECONDS);
        }
        assertThat(counter[0]).isEqualTo(320);
    }
}
