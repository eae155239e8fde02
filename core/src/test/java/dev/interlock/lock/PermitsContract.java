// SPDX-License-Identifier: Apache-2.0
package dev.interlock.lock;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.interlock.Interlock;
import dev.interlock.Topology;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What every semaphore promises, in all three views; the subclasses say on which topology. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
abstract class PermitsContract {
    private static final Duration LONG = Duration.ofSeconds(20);

    private final Topology topology;
    private Servers servers;
    private Interlock here;
    private Interlock there;

    PermitsContract(Topology topology) {
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

    @AfterEach
    void noKeyIsWithoutTtl() {
        assertThat(servers.redis.keys("interlock:semaphore:*"))
                .allSatisfy(key -> assertThat(servers.redis.pttl(key)).as(key).isNotEqualTo(-1));
    }

    private static String key(String name) {
        return "interlock:semaphore:{" + name + "}";
    }

    private static LockOptions unrenewed(int millis) {
        return LockOptions.DEFAULTS.withoutRenewal(Duration.ofMillis(millis));
    }

    @ParameterizedTest
    @EnumSource(PermitsView.class)
    void givesAsManyPermitsAsThereAreAndNoMore(PermitsView view) {
        String name = Topology.name("db");
        Lease first = view.tryAcquire(here.semaphore(name, 2)).orElseThrow();
        Lease second = view.tryAcquire(there.semaphore(name, 2)).orElseThrow();
        assertThat(view.tryAcquire(here.semaphore(name, 2))).isEmpty();
        assertThat(view.held(here.semaphore(name, 2))).isEqualTo(2);
        assertThat(second.fence()).isGreaterThan(first.fence());
        assertThat(first.name()).isEqualTo(name);
        assertThat(first.release()).isEqualTo(new ReleaseResult.Released());
        assertThat(first.release()).isEqualTo(new ReleaseResult.Expired());
        Lease third = view.acquire(there.semaphore(name, 2), Duration.ZERO);
        assertThat(view.release(here.semaphore(name, 2), third.ownerToken())).isEqualTo(new ReleaseResult.Released());
        assertThat(view.release(here.semaphore(name, 2), third.ownerToken())).isEqualTo(new ReleaseResult.Expired());
        assertThat(third.release()).isEqualTo(new ReleaseResult.Expired());
        second.close();
        assertThat(servers.redis.keys(key(name) + "*")).containsExactly(key(name) + ":fence");
    }

    @ParameterizedTest
    @EnumSource(PermitsView.class)
    void aWaiterGetsThePermitThatIsReleasedHereOrElsewhere(PermitsView view) throws Exception {
        for (Interlock holder : List.of(here, there)) {
            String name = Topology.name("db");
            Lease held = holder.semaphore(name, 1).acquire(LONG);
            CompletableFuture<Lease> next =
                    CompletableFuture.supplyAsync(() -> view.acquire(here.semaphore(name, 1), LONG));
            Awaitility.await().atMost(LONG).until(() -> servers.redis.exists(key(name) + ":queue") == 1);
            assertThat(next).isNotDone();
            held.close();
            next.get(5, TimeUnit.SECONDS).close();
        }
    }

    @ParameterizedTest
    @EnumSource(PermitsView.class)
    void aWaitThatIsOverLeavesNothing(PermitsView view) {
        String name = Topology.name("db");
        Lease held = there.semaphore(name, 1).tryAcquire().orElseThrow();
        assertThatThrownBy(() -> view.acquire(here.semaphore(name, 1), Duration.ofMillis(150)))
                .isInstanceOf(LockTimeoutException.class)
                .hasMessageContaining(name);
        held.close();
        Awaitility.await()
                .atMost(LONG)
                .untilAsserted(
                        () -> assertThat(servers.redis.keys(key(name) + "*")).containsExactly(key(name) + ":fence"));
    }

    /** L15 */
    @Test
    void thePermitOfADeadHolderReturnsAtTheEndOfItsLeaseAndThatOfALiveOneIsKept() throws Exception {
        String name = Topology.name("db");
        Interlock dying = Topology.connect(servers.server);
        LockOptions options = LockOptions.DEFAULTS.withLeaseTime(Duration.ofMillis(900));
        Lease live = here.locks().semaphore(name, 2, options).tryAcquire().orElseThrow();
        long begin = System.nanoTime();
        dying.locks().semaphore(name, 2, options).tryAcquire().orElseThrow();
        dying.close();
        Lease next = there.locks().semaphore(name, 2, options).acquire(LONG);
        assertThat(System.nanoTime() - begin).isGreaterThan(TimeUnit.MILLISECONDS.toNanos(850));
        assertThat(there.semaphore(name, 2).tryAcquire()).isEmpty();
        assertThat(live.isValid()).isTrue();
        live.close();
        next.close();
    }

    @Test
    void aHeldPermitIsRenewedBeyondItsLeaseTime() {
        String name = Topology.name("db");
        Lease lease = here.locks()
                .semaphore(name, 1, LockOptions.DEFAULTS.withLeaseTime(Duration.ofMillis(600)))
                .tryAcquire()
                .orElseThrow();
        long begin = System.nanoTime();
        Awaitility.await().atMost(LONG).until(() -> System.nanoTime() - begin > 1_500_000_000L);
        assertThat(lease.isValid()).isTrue();
        assertThat(there.semaphore(name, 1).tryAcquire()).isEmpty();
        assertThat(lease.release()).isEqualTo(new ReleaseResult.Released());
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void aHolderIsToldWithin100MsThatHisPermitIsRemoved(boolean wholeKey) throws Exception {
        String name = Topology.name("db");
        Lease other = here.semaphore(name, 3).tryAcquire().orElseThrow();
        Lease lease = here.semaphore(name, 3).tryAcquire().orElseThrow();
        CompletableFuture<Long> told = new CompletableFuture<>();
        lease.onLost(() -> told.complete(System.nanoTime()));
        // Twice past the age at which watching begins: a lost push would show as a wait for the next renewal.
        Awaitility.await().pollDelay(Duration.ofMillis(150)).until(() -> true);
        if (wholeKey) {
            servers.redis.del(key(name));
        } else {
            assertThat(servers.redis.zrem(key(name), "r" + lease.ownerToken())).isOne();
        }
        long gone = System.nanoTime();
        assertThat(told.get(5, TimeUnit.SECONDS) - gone).isLessThan(TimeUnit.MILLISECONDS.toNanos(100));
        assertThat(lease.isValid()).isFalse();
        assertThatThrownBy(lease::ensureValid).isInstanceOf(LeaseLostException.class);
        assertThat(lease.release()).isEqualTo(new ReleaseResult.Expired());
        assertThat(other.isValid()).isEqualTo(!wholeKey);
        other.close();
    }

    @Test
    void neverMoreHoldersThanPermitsUnderContention() throws Exception {
        String name = Topology.name("db");
        AtomicInteger inside = new AtomicInteger();
        AtomicInteger most = new AtomicInteger();
        AtomicInteger done = new AtomicInteger();
        List<Thread> threads = new ArrayList<>();
        for (int t = 0; t < 8; t++) {
            Permits permits = (t % 2 == 0 ? here : there).semaphore(name, 3);
            threads.add(new Thread(() -> {
                for (int i = 0; i < 25; i++) {
                    try (Lease lease = permits.acquire(LONG)) {
                        most.accumulateAndGet(inside.incrementAndGet(), Math::max);
                        lease.ensureValid();
                        inside.decrementAndGet();
                        done.incrementAndGet();
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
        assertThat(done).hasValue(200);
        assertThat(most.get()).isBetween(1, 3);
        assertThat(servers.redis.keys(key(name) + "*")).containsExactly(key(name) + ":fence");
    }

    @Test
    void interruptsAndCancellationsLeaveNoPermitBehind() throws Exception {
        String name = Topology.name("db");
        long seed = System.nanoTime();
        Random random = new Random(seed);
        for (int i = 0; i < 40; i++) {
            CompletableFuture<Optional<Lease>> asked =
                    here.semaphore(name, 1).async().tryAcquire(LONG).toCompletableFuture();
            Thread thread = new Thread(() -> {
                try (Lease lease = there.semaphore(name, 1).acquire(LONG)) {
                    lease.isValid();
                } catch (InterruptedException e) {
                    Thread.currentThread().interrupt();
                }
            });
            thread.start();
            for (int spin = random.nextInt(20_000); spin > 0; spin--) {
                Thread.onSpinWait();
            }
            thread.interrupt();
            if (!asked.cancel(false)) {
                asked.join().ifPresent(Lease::close);
            }
            thread.join();
        }
        Awaitility.await("seed " + seed)
                .atMost(LONG)
                .untilAsserted(
                        () -> assertThat(servers.redis.keys(key(name) + "*")).containsExactly(key(name) + ":fence"));
    }

    @Test
    void aPermitWithoutRenewalEndsByItself() {
        String name = Topology.name("db");
        Lease lease =
                here.locks().semaphore(name, 1, unrenewed(200)).tryAcquire().orElseThrow();
        Awaitility.await().atMost(LONG).until(() -> !lease.isValid());
        Awaitility.await()
                .atMost(LONG)
                .untilAsserted(
                        () -> assertThat(there.semaphore(name, 1).tryAcquire()).isPresent());
        assertThat(lease.release()).isEqualTo(new ReleaseResult.Expired());
    }
}
