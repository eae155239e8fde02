// SPDX-License-Identifier: Apache-2.0
package dev.interlock.lock;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.interlock.CorruptStateException;
import dev.interlock.Interlock;
import dev.interlock.Topology;
import io.lettuce.core.SetArgs;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicInteger;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** What every lock promises about taking, keeping and giving back, in all three views; the subclasses say on which topology. */
abstract class LockContract extends LockSetup {
    LockContract(Topology topology) {
        super(topology);
    }

    // Semantics 1: acquire

    @ParameterizedTest
    @EnumSource(LockView.class)
    void rule1AFreeLockIsGrantedWithItsTtlAndRefusedToOthers(LockView view) {
        String name = Topology.name("job");
        Lease lease = view.tryAcquire(here.lock(name)).orElseThrow();
        assertThat(redis.pttl(key(name))).isBetween(25_000L, 30_000L);
        assertThat(redis.get(key(name))).startsWith(lease.ownerToken() + "\t" + lease.fence() + "\t");
        assertThat(view.tryAcquire(there.lock(name))).isEmpty();
        assertThat(view.tryAcquire(here.lock(name))).isEmpty();
        assertThat(lease.name()).isEqualTo(name);
        assertThat(lease.isValid()).isTrue();
        assertThat(lease.validFor()).isBetween(Duration.ofSeconds(25), Duration.ofMillis(29_698));
        assertThat(view.release(lease)).isEqualTo(new ReleaseResult.Released());
        assertThat(redis.exists(key(name))).isZero();
        assertThat(lease.isValid()).isFalse();
    }

    @ParameterizedTest
    @EnumSource(LockView.class)
    void aHeldLockIsRefusedAfterTheWaitOnly(LockView view) throws InterruptedException {
        String name = Topology.name("job");
        try (Lease lease = there.lock(name).acquire(LONG)) {
            long begin = System.nanoTime();
            assertThat(view.tryAcquire(here.lock(name), Duration.ofMillis(200))).isEmpty();
            assertThatThrownBy(() -> view.acquire(here.lock(name), Duration.ofMillis(200)))
                    .isInstanceOf(LockTimeoutException.class)
                    .hasMessageContaining(name);
            assertThat(System.nanoTime() - begin).isGreaterThan(TimeUnit.MILLISECONDS.toNanos(400));
            lease.ensureValid();
        }
        Awaitility.await()
                .atMost(LONG)
                .untilAsserted(() -> assertThat(redis.keys(key(name) + "*")).containsExactly(key(name) + ":fence"));
    }

    @ParameterizedTest
    @EnumSource(LockView.class)
    void aWaiterGetsTheLockWhenItIsReleasedElsewhereOrHere(LockView view) throws Exception {
        for (Interlock holder : List.of(here, there)) {
            String name = Topology.name("job");
            Lease first = holder.lock(name).acquire(LONG);
            CompletableFuture<Lease> second = CompletableFuture.supplyAsync(() -> {
                try {
                    return view.acquire(here.lock(name), LONG);
                } catch (InterruptedException e) {
                    throw new IllegalStateException(e);
                }
            });
            assertThatThrownBy(() -> second.get(100, TimeUnit.MILLISECONDS)).isInstanceOf(TimeoutException.class);
            assertThat(first.release()).isEqualTo(new ReleaseResult.Released());
            Lease lease = second.get(5, TimeUnit.SECONDS);
            assertThat(lease.fence()).isGreaterThan(first.fence());
            assertThat(lease.isValid()).isTrue();
            assertThat(lease.release()).isEqualTo(new ReleaseResult.Released());
        }
    }

    @Test
    void aKeyOfAnotherProgramIsNeverTakenNorChanged() {
        String list = Topology.name("list");
        redis.rpush(key(list), "theirs");
        String eternal = Topology.name("eternal");
        redis.set(key(eternal), "theirs");
        for (String name : List.of(list, eternal)) {
            assertThatThrownBy(() -> here.lock(name).tryAcquire())
                    .isInstanceOf(CorruptStateException.class)
                    .hasMessageContaining(name);
            assertThatThrownBy(() -> here.lock(name).acquire(LONG)).isInstanceOf(CorruptStateException.class);
        }
        assertThat(redis.lrange(key(list), 0, -1)).containsExactly("theirs");
        assertThat(redis.get(key(eternal))).isEqualTo("theirs");
        redis.del(key(list));
        redis.del(key(eternal));
        String passing = Topology.name("passing");
        redis.set(key(passing), "theirs", SetArgs.Builder.px(20_000));
        assertThat(here.lock(passing).tryAcquire()).isEmpty();
        assertThat(here.lock(passing).owner().orElseThrow().host()).isEmpty();
        redis.del(key(passing));
    }

    // Semantics 2: release

    @ParameterizedTest
    @EnumSource(LockView.class)
    void rule2AReleaseTellsItsThreeOutcomesApartAndTouchesNobodyElses(LockView view) {
        String name = Topology.name("job");
        Lease released = here.lock(name).tryAcquire().orElseThrow();
        assertThat(view.release(there.lock(name), released.ownerToken())).isEqualTo(new ReleaseResult.Released());
        assertThat(view.release(released)).isEqualTo(new ReleaseResult.Expired());
        assertThat(view.release(released)).isEqualTo(new ReleaseResult.Expired());

        Lease overrun = here.lock(name, LockOptions.DEFAULTS.withoutRenewal(SHORT))
                .tryAcquire()
                .orElseThrow();
        Awaitility.await().atMost(LONG).until(() -> redis.exists(key(name)) == 0);
        Lease next = there.lock(name).tryAcquire().orElseThrow();
        assertThat(overrun.isValid()).isFalse();
        assertThat(view.release(overrun)).isEqualTo(new ReleaseResult.OwnedByAnother());
        overrun.close();
        next.ensureValid();
        assertThat(redis.get(key(name))).startsWith(next.ownerToken());
        assertThat(view.release(next)).isEqualTo(new ReleaseResult.Released());
    }

    @ParameterizedTest
    @EnumSource(LockView.class)
    void aTokenReleasesOnlyItsOwnLockAndOnlyOnce(LockView view) {
        String name = Topology.name("job");
        String other = Topology.name("other");
        Lease lease = here.lock(name).tryAcquire().orElseThrow();
        Lease another = here.lock(other).tryAcquire().orElseThrow();
        assertThat(view.release(here.lock(other), lease.ownerToken())).isEqualTo(new ReleaseResult.OwnedByAnother());
        assertThat(view.release(here.lock(name), lease.ownerToken())).isEqualTo(new ReleaseResult.Released());
        assertThat(lease.isValid()).isFalse();
        assertThat(view.release(here.lock(name), lease.ownerToken())).isEqualTo(new ReleaseResult.Expired());
        for (String bad : new String[] {"", "x", lease.ownerToken() + "0", "A".repeat(32), null}) {
            assertThatThrownBy(() -> view.release(here.lock(name), bad)).isInstanceOf(IllegalArgumentException.class);
        }
        another.ensureValid();
        another.close();
    }

    @Test
    void aTokenThatWasReadIsNeverPassedOnToTheNextHolder() throws Exception {
        String name = Topology.name("job");
        Lease first = here.lock(name).acquire(LONG);
        String token = first.ownerToken();
        CompletableFuture<Lease> second = here.lock(name).async().acquire(LONG).toCompletableFuture();
        first.release();
        Lease next = second.get(5, TimeUnit.SECONDS);
        assertThat(there.lock(name).release(token)).isEqualTo(new ReleaseResult.OwnedByAnother());
        next.ensureValid();
        assertThat(next.ownerToken()).isNotEqualTo(token);
        next.close();
    }

    // Semantics 4: renewal

    @Test
    void rule4ALeaseIsRenewedUntilItIsReleasedAndNeverAfterwards() {
        String name = Topology.name("job");
        Lease lease =
                here.lock(name, leased(Duration.ofMillis(1_500))).tryAcquire().orElseThrow();
        List<Long> ttls = new ArrayList<>();
        Awaitility.await().pollInterval(Duration.ofMillis(75)).atMost(LONG).until(() -> {
            ttls.add(redis.pttl(key(name)));
            return ttls.size() == 40;
        });
        assertThat(ttls).allSatisfy(ttl -> assertThat(ttl).isBetween(1L, 1_500L));
        assertThat(lease.isValid()).isTrue();
        // Released by nobody at Redis: the key stays, and nothing may prolong it.
        lease.hold().end();
        long[] last = {redis.pttl(key(name))};
        Awaitility.await().pollInterval(Duration.ofMillis(10)).atMost(LONG).until(() -> {
            long ttl = redis.pttl(key(name));
            assertThat(ttl).isLessThanOrEqualTo(last[0]);
            last[0] = ttl;
            return ttl == -2;
        });
    }

    @Test
    void rule4WithoutRenewalALeaseLapsesAndIsToldSoOnce() {
        String name = Topology.name("job");
        Lease lease = here.lock(name, LockOptions.DEFAULTS.withoutRenewal(Duration.ofMillis(100)))
                .tryAcquire()
                .orElseThrow();
        AtomicInteger told = new AtomicInteger();
        lease.onLost(told::incrementAndGet);
        lease.ensureValid(Duration.ofMillis(1));
        assertThatThrownBy(() -> lease.ensureValid(Duration.ofMillis(100))).isInstanceOf(LeaseLostException.class);
        Awaitility.await().atMost(Duration.ofSeconds(2)).until(() -> told.get() == 1);
        assertThatThrownBy(lease::ensureValid)
                .isInstanceOf(LeaseLostException.class)
                // Its clock or the push of the key's end, whichever this JVM saw first.
                .hasMessageMatching("(?s).*(time was over|its key was removed).*");
        assertThat(lease.validFor()).isZero();
        assertThat(redis.exists(key(name))).isZero();
        AtomicInteger late = new AtomicInteger();
        lease.onLost(late::incrementAndGet);
        Awaitility.await().atMost(Duration.ofSeconds(2)).until(() -> late.get() == 1);
        lease.close();
        assertThat(told).hasValue(1);
    }

    @ParameterizedTest
    @EnumSource(LockView.class)
    void aLeaseCanBeExtendedButNotOnceItIsLost(LockView view) {
        String name = Topology.name("job");
        Lease lease = here.lock(name, LockOptions.DEFAULTS.withoutRenewal(Duration.ofSeconds(2)))
                .tryAcquire()
                .orElseThrow();
        view.extend(lease, Duration.ofMillis(100));
        assertThat(redis.pttl(key(name))).isGreaterThan(500);
        view.extend(lease, Duration.ofMinutes(5));
        assertThat(redis.pttl(key(name))).isGreaterThan(290_000);
        assertThat(lease.validFor()).isBetween(Duration.ofMinutes(4), Duration.ofMinutes(5));
        for (Duration bad : List.of(Duration.ZERO, Duration.ofMillis(-1), Duration.ofNanos(1), Duration.ofDays(2))) {
            assertThatThrownBy(() -> view.extend(lease, bad)).isInstanceOf(IllegalArgumentException.class);
        }
        redis.set(key(name), "another", SetArgs.Builder.px(1_000));
        assertThatThrownBy(() -> view.extend(lease, Duration.ofMinutes(5))).isInstanceOf(LeaseLostException.class);
        assertThat(redis.pttl(key(name))).isLessThanOrEqualTo(1_000);
        assertThat(view.release(lease)).isEqualTo(new ReleaseResult.OwnedByAnother());
        redis.del(key(name));
    }
}
