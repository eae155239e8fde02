// SPDX-License-Identifier: Apache-2.0
package dev.interlock.lock;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.interlock.Interlock;
import dev.interlock.Topology;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What every read-write lock promises beyond what {@link PermitsContract} shows; the subclasses say on which topology. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
abstract class ReadWriteContract {
    private static final Duration LONG = Duration.ofSeconds(20);

    private final Topology topology;
    private Servers servers;
    private Interlock here;
    private Interlock there;

    ReadWriteContract(Topology topology) {
        this.topology = topology;
    }

    @BeforeAll
    void start() {
        servers = new Servers(topology);
        here = servers.here;
        there = servers.there;
    }

    @AfterAll
    void stop() {
        servers.close();
    }

    private static CompletableFuture<Lease> later(Permits permits) {
        return permits.async().acquire(LONG).toCompletableFuture();
    }

    private void awaitQueue(String name, long length) {
        Awaitility.await()
                .atMost(LONG)
                .until(() -> servers.redis.llen("interlock:rwlock:{" + name + "}:queue") == length);
    }

    @Test
    void readersShareItAndAWriterHasItAlone() {
        String name = Topology.name("doc");
        ReadWriteLock mine = here.locks().readWriteLock(name);
        ReadWriteLock theirs = there.locks().readWriteLock(name);
        Lease first = mine.reading().tryAcquire().orElseThrow();
        Lease second = theirs.reading().tryAcquire().orElseThrow();
        assertThat(theirs.writing().tryAcquire()).isEmpty();
        assertThat(mine.writing().tryAcquire()).isEmpty();
        first.close();
        assertThat(mine.writing().tryAcquire()).isEmpty();
        assertThat(second.isValid()).isTrue();
        second.close();
        Lease writer = mine.writing().tryAcquire().orElseThrow();
        assertThat(writer.fence()).isGreaterThan(second.fence());
        assertThat(theirs.reading().tryAcquire()).isEmpty();
        assertThat(theirs.writing().tryAcquire()).isEmpty();
        assertThat(writer.release()).isEqualTo(new ReleaseResult.Released());
        assertThat(servers.redis.keys("interlock:rwlock:{" + name + "}*")).hasSize(1);
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void aReaderThatComesAfterAWaitingWriterWaitsBehindHim(boolean sameJvm) throws Exception {
        String name = Topology.name("doc");
        Lease reader = here.locks().readWriteLock(name).reading().acquire(LONG);
        CompletableFuture<Lease> writer =
                later(there.locks().readWriteLock(name).writing());
        awaitQueue(name, 1);
        Interlock late = sameJvm ? there : here;
        assertThat(late.locks().readWriteLock(name).reading().tryAcquire()).isEmpty();
        CompletableFuture<Lease> second = later(late.locks().readWriteLock(name).reading());
        reader.close();
        Lease written = writer.get(5, TimeUnit.SECONDS);
        assertThat(second).isNotDone();
        written.close();
        second.get(5, TimeUnit.SECONDS).close();
    }

    @Test
    void allReadersBehindAWriterEnterTogether() throws Exception {
        String name = Topology.name("doc");
        Lease writer = here.locks().readWriteLock(name).writing().acquire(LONG);
        List<CompletableFuture<Lease>> readers = new ArrayList<>();
        for (int i = 0; i < 6; i++) {
            readers.add(later(
                    (i % 2 == 0 ? here : there).locks().readWriteLock(name).reading()));
        }
        awaitQueue(name, 2);
        writer.close();
        for (CompletableFuture<Lease> reader : readers) {
            assertThat(reader.get(5, TimeUnit.SECONDS).isValid()).isTrue();
        }
        assertThat(here.locks().readWriteLock(name).reading().held()).isEqualTo(6);
        readers.forEach(reader -> reader.join().close());
    }

    /** A waiting writer that leaves must not keep the readers behind him waiting. */
    @Test
    void readersGoOnWhenTheWriterBeforeThemGivesUp() throws Exception {
        String name = Topology.name("doc");
        Lease reader = here.locks().readWriteLock(name).reading().acquire(LONG);
        CompletableFuture<Lease> writer =
                later(there.locks().readWriteLock(name).writing());
        awaitQueue(name, 1);
        CompletableFuture<Lease> second = later(here.locks().readWriteLock(name).reading());
        CompletableFuture<Lease> third = later(there.locks().readWriteLock(name).reading());
        awaitQueue(name, 2);
        writer.cancel(false);
        second.get(5, TimeUnit.SECONDS).close();
        third.get(5, TimeUnit.SECONDS).close();
        reader.close();
    }

    @Test
    void noReaderKeepsAnotherAlive() {
        String name = Topology.name("doc");
        LockOptions fleeting = LockOptions.DEFAULTS.withoutRenewal(Duration.ofMillis(300));
        Lease dying = there.locks()
                .readWriteLock(name, fleeting)
                .reading()
                .tryAcquire()
                .orElseThrow();
        Lease living = here.locks().readWriteLock(name).reading().tryAcquire().orElseThrow();
        Awaitility.await()
                .atMost(LONG)
                .until(() -> here.locks().readWriteLock(name).reading().held() == 1);
        assertThat(dying.isValid()).isFalse();
        assertThat(dying.release()).isEqualTo(new ReleaseResult.Expired());
        assertThat(there.locks().readWriteLock(name).writing().tryAcquire()).isEmpty();
        living.close();
        there.locks().readWriteLock(name).writing().tryAcquire().orElseThrow().close();
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1, 2})
    void aWriterGoesOnAsAReader(int view) throws Exception {
        String name = Topology.name("doc");
        ReadWriteLock lock = here.locks().readWriteLock(name);
        Lease lease = lock.writing().tryAcquire().orElseThrow();
        CompletableFuture<Lease> reader =
                later(there.locks().readWriteLock(name).reading());
        awaitQueue(name, 1);
        switch (view) {
            case 0 -> lock.downgrade(lease);
            case 1 -> lock.downgradeAsync(lease).toCompletableFuture().join();
            default -> lock.downgradeReactive(lease).block();
        }
        reader.get(5, TimeUnit.SECONDS).close();
        assertThat(there.locks().readWriteLock(name).writing().tryAcquire()).isEmpty();
        lock.downgrade(lease);
        assertThat(lease.isValid()).isTrue();
        assertThat(lease.release()).isEqualTo(new ReleaseResult.Released());
        there.locks().readWriteLock(name).writing().tryAcquire().orElseThrow().close();
    }

    @Test
    void aLostWriterCannotGoOnAsAReader() {
        String name = Topology.name("doc");
        ReadWriteLock lock = here.locks().readWriteLock(name);
        Lease lease = lock.writing().tryAcquire().orElseThrow();
        servers.redis.del("interlock:rwlock:{" + name + "}");
        assertThatThrownBy(() -> lock.downgrade(lease)).isInstanceOf(LeaseLostException.class);
        assertThatThrownBy(() -> lock.downgradeReactive(lease).block()).isInstanceOf(LeaseLostException.class);
        assertThatThrownBy(
                        () -> lock.downgradeAsync(lease).toCompletableFuture().join())
                .isInstanceOf(CompletionException.class)
                .hasCauseInstanceOf(LeaseLostException.class);
    }

    @Test
    void anUpgradeIsRefusedWithAdviceAndForeignLeasesToo() {
        ReadWriteLock lock = here.locks().readWriteLock(Topology.name("doc"));
        ReadWriteLock other = here.locks().readWriteLock(Topology.name("doc"));
        try (Lease lease = lock.reading().tryAcquire().orElseThrow()) {
            assertThatThrownBy(() -> lock.upgrade(lease))
                    .isInstanceOf(UnsupportedOperationException.class)
                    .hasMessageContaining("acquire writing()");
            assertThat(lease.isValid()).isTrue();
            assertThatThrownBy(() -> other.downgrade(lease)).isInstanceOf(IllegalArgumentException.class);
            assertThatThrownBy(() -> other.downgradeAsync(lease)).isInstanceOf(IllegalArgumentException.class);
            assertThatThrownBy(() -> other.downgradeReactive(lease)).isInstanceOf(IllegalArgumentException.class);
        }
    }

    @Test
    void writersAndReadersNeverMeetUnderContention() throws Exception {
        String name = Topology.name("doc");
        AtomicInteger reading = new AtomicInteger();
        AtomicInteger writing = new AtomicInteger();
        AtomicInteger wrong = new AtomicInteger();
        AtomicInteger writes = new AtomicInteger();
        List<Thread> threads = new ArrayList<>();
        for (int t = 0; t < 6; t++) {
            boolean writes1 = t < 2;
            ReadWriteLock lock = (t % 2 == 0 ? here : there).locks().readWriteLock(name);
            threads.add(new Thread(() -> {
                for (int i = 0; i < 25; i++) {
                    AtomicInteger mine = writes1 ? writing : reading;
                    try (Lease lease = (writes1 ? lock.writing() : lock.reading()).acquire(LONG)) {
                        int together = mine.incrementAndGet();
                        boolean bad = writes1 ? together > 1 || reading.get() > 0 : writing.get() > 0;
                        wrong.addAndGet(bad && lease.isValid() ? 1 : 0);
                        mine.decrementAndGet();
                        writes.addAndGet(writes1 ? 1 : 0);
                    } catch (InterruptedException e) {
                        return;
                    }
                }
            }));
        }
        threads.forEach(Thread::start);
        for (Thread thread : threads) {
            thread.join(TimeUnit.SECONDS.toMillis(30));
        }
        assertThat(wrong).hasValue(0);
        assertThat(writes).hasValue(50);
        assertThat(servers.redis.keys("interlock:rwlock:{" + name + "}*")).hasSize(1);
    }
}
