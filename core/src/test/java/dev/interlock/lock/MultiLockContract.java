// SPDX-License-Identifier: Apache-2.0
package dev.interlock.lock;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.interlock.CorruptStateException;
import dev.interlock.Interlock;
import dev.interlock.Topology;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.NoSuchElementException;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
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

/** What every multi-lock promises; the subclasses say on which topology. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
abstract class MultiLockContract {
    private static final Duration LONG = Duration.ofSeconds(20);

    private final Topology topology;
    private Servers servers;
    private Interlock here;
    private Interlock there;

    MultiLockContract(Topology topology) {
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
        assertThat(servers.redis.keys("interlock:lock*"))
                .allSatisfy(key -> assertThat(servers.redis.pttl(key)).as(key).isNotEqualTo(-1));
    }

    /** Where the locks are: in one group and so always in one script, or plain. */
    enum Place {
        PLAIN,
        GROUP;

        MultiLock all(Interlock interlock, String tag, String... names) {
            List<String> all = new ArrayList<>();
            for (String name : names) {
                all.add(this == PLAIN ? tag + name : name);
            }
            return this == PLAIN
                    ? interlock.locks().all(all)
                    : interlock.locks().group(tag, LockOptions.DEFAULTS).all(all);
        }

        DistributedLock one(Interlock interlock, String tag, String name) {
            return this == PLAIN
                    ? interlock.lock(tag + name)
                    : interlock.locks().group(tag, LockOptions.DEFAULTS).lock(name);
        }
    }

    private void assertNothingHeld(String tag) {
        Awaitility.await()
                .atMost(LONG)
                .untilAsserted(
                        () -> assertThat(servers.redis.keys("*" + tag + "*")).allMatch(key -> key.contains(":fence")));
    }

    @ParameterizedTest
    @EnumSource(Place.class)
    void allOrNoneInAllThreeViews(Place place) throws Exception {
        String tag = Topology.name("m");
        MultiLock ab = place.all(here, tag, "b", "a");
        MultiLock bc = place.all(there, tag, "b", "c");
        for (int view = 0; view < 3; view++) {
            MultiLease lease = switch (view) {
                case 0 -> ab.acquire(LONG);
                case 1 -> ab.async().acquire(LONG).toCompletableFuture().join();
                default -> ab.reactive().acquire(LONG).block();
            };
            assertThat(bc.tryAcquire()).isEmpty();
            assertThat(bc.async()
                            .tryAcquire(Duration.ofMillis(50))
                            .toCompletableFuture()
                            .join())
                    .isEmpty();
            assertThat(bc.reactive().tryAcquire().blockOptional()).isEmpty();
            assertThatThrownBy(() -> bc.acquire(Duration.ofMillis(50))).isInstanceOf(LockTimeoutException.class);
            assertThat(place.one(there, tag, "a").tryAcquire()).isEmpty();
            place.one(there, tag, "c").acquire(LONG).close();
            assertThat(lease.isValid()).isTrue();
            assertThat(lease.release()).isEqualTo(new ReleaseResult.Released());
            assertThat(lease.release()).isEqualTo(new ReleaseResult.Expired());
            assertThatThrownBy(lease::ensureValid).isInstanceOf(LeaseLostException.class);
        }
        assertNothingHeld(tag);
    }

    @Test
    void leasesAreExactToTheMillisecondAndFencesAreThoseOfTheLocks() throws Exception {
        String tag = Topology.name("m");
        LockOptions options = LockOptions.DEFAULTS.withoutRenewal(Duration.ofMillis(4_321));
        long before;
        try (Lease single = here.lock(tag + "a").acquire(LONG)) {
            before = single.fence();
        }
        MultiLease lease =
                here.locks().all(List.of(tag + "b", tag + "a"), options).acquire(LONG);
        for (String name : List.of("a", "b")) {
            assertThat(servers.redis.pttl("interlock:lock:{" + tag + name + "}"))
                    .isBetween(1L, 4_321L);
        }
        assertThat(lease.names()).containsExactly(tag + "a", tag + "b");
        assertThat(lease.validFor()).isBetween(Duration.ofMillis(1), Duration.ofMillis(4_276));
        assertThat(lease.fence(tag + "a")).isGreaterThan(before);
        assertThatThrownBy(() -> lease.fence("c")).isInstanceOf(NoSuchElementException.class);
        lease.close();
        try (Lease single = there.lock(tag + "b").acquire(LONG)) {
            assertThat(single.fence()).isGreaterThan(lease.fence(tag + "b"));
        }
    }

    @ParameterizedTest
    @EnumSource(Place.class)
    void aWaiterGetsAllWhenTheLastIsReleased(Place place) throws Exception {
        String tag = Topology.name("m");
        Lease b = place.one(there, tag, "b").acquire(LONG);
        Lease c = place.one(here, tag, "c").acquire(LONG);
        CompletableFuture<MultiLease> all =
                place.all(here, tag, "c", "b", "a").async().acquire(LONG).toCompletableFuture();
        b.close();
        assertThatThrownBy(() -> all.get(150, TimeUnit.MILLISECONDS)).isInstanceOf(TimeoutException.class);
        c.close();
        MultiLease lease = all.get(5, TimeUnit.SECONDS);
        assertThat(lease.isValid()).isTrue();
        lease.close();
        assertNothingHeld(tag);
    }

    /** L10, with a seed: 10,000 rounds, by four threads of two Interlocks on each of 20 pairs of names. */
    @ParameterizedTest
    @EnumSource(Place.class)
    void l10OppositeOrdersWithTimeOutsMeetNoDeadlockAndLeaveNothing(Place place) throws Exception {
        String tag = Topology.name("m");
        long seed = System.nanoTime();
        List<OpposedLocks> pairs = new ArrayList<>();
        for (int pair = 0; pair < 20; pair++) {
            MultiLock ab = place.all(here, tag + pair, "a", "b");
            pairs.add(new OpposedLocks(ab, place.all(there, tag + pair, "b", "a"), seed + 4 * pair));
        }
        for (OpposedLocks pair : pairs) {
            pair.await();
        }
        for (int pair = 0; pair < 20; pair++) {
            assertNothingHeld(tag + pair);
        }
    }

    @Test
    void aCancelledWaitGivesBackWhatItHeldBefore() throws Exception {
        String tag = Topology.name("m");
        Lease b = there.lock(tag + "b").acquire(LONG);
        for (int i = 0; i < 3; i++) {
            CompletableFuture<Optional<MultiLease>> asked = here.locks()
                    .all(List.of(tag + "a", tag + "b"))
                    .async()
                    .tryAcquire(LONG)
                    .toCompletableFuture();
            Awaitility.await()
                    .atMost(LONG)
                    .until(() -> servers.redis.exists("interlock:lock:{" + tag + "b}:queue") == 1);
            asked.cancel(false);
            there.lock(tag + "a").acquire(LONG).close();
        }
        b.close();
        assertNothingHeld(tag);
    }

    @Test
    void theLossOfOneIsTheLossOfAllAndToldOnce() throws Exception {
        String tag = Topology.name("m");
        AtomicInteger told = new AtomicInteger();
        MultiLease lease = here.locks().all(List.of(tag + "a", tag + "b")).acquire(LONG);
        lease.onLost(told::incrementAndGet);
        there.lock(tag + "a").forceRelease();
        there.lock(tag + "b").forceRelease();
        Awaitility.await().atMost(LONG).until(() -> told.get() > 0 && !lease.isValid());
        assertThatThrownBy(lease::ensureValid).isInstanceOf(LeaseLostException.class);
        assertThat(lease.release()).isNotEqualTo(new ReleaseResult.Released());
        assertThat(told).hasValue(1);
    }

    @ParameterizedTest
    @ValueSource(strings = {"", ":fence", ":queue"})
    void keysOfOthersAreNotTouchedAndNothingIsHeld(String part) {
        String tag = Topology.name("m");
        String key = "interlock:lock:{" + tag + "b}" + part;
        servers.redis.zadd(key, 1, "theirs");
        servers.redis.expire(key, 60);
        assertThatThrownBy(() -> here.locks().all(List.of(tag + "a", tag + "b")).tryAcquire())
                .isInstanceOf(CorruptStateException.class);
        assertThat(servers.redis.zcard(key)).isOne();
        Awaitility.await().atMost(LONG).until(() -> servers.redis.exists("interlock:lock:{" + tag + "a}") == 0);
    }

    @Test
    void aLockThatNeverExpiresIsNeitherStolenNorWaitedFor() {
        String tag = Topology.name("m");
        String key = "interlock:lock:{" + tag + "b}";
        servers.redis.set(key, "theirs");
        MultiLock lock = here.locks().all(List.of(tag + "a", tag + "b"));
        assertThatThrownBy(lock::tryAcquire)
                .isInstanceOf(CorruptStateException.class)
                .hasMessageContaining("never expires");
        assertThatThrownBy(() -> lock.tryAcquire(LONG)).isInstanceOf(CorruptStateException.class);
        assertThat(servers.redis.getdel(key)).isEqualTo("theirs");
        Awaitility.await().atMost(LONG).until(() -> servers.redis.exists("interlock:lock:{" + tag + "a}") == 0);
    }

    @Test
    void badNamesAreRefusedBeforeAnythingIsSent() {
        Locks locks = here.locks();
        for (List<String> names : List.of(
                List.<String>of(),
                List.of("a", "a"),
                List.of("a", ""),
                List.of("a", "b\0"),
                Collections.nCopies(65, "a"))) {
            assertThatThrownBy(() -> locks.all(names)).isInstanceOf(IllegalArgumentException.class);
            assertThatThrownBy(() -> locks.group("g", LockOptions.DEFAULTS).all(names))
                    .isInstanceOf(IllegalArgumentException.class);
        }
        assertThatThrownBy(() -> locks.group(" ", LockOptions.DEFAULTS)).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> locks.all(List.of("a")).tryAcquire(Duration.ofMillis(-1)))
                .isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> locks.all(List.of("a")).reactive().acquire(Duration.ofNanos(1)))
                .isInstanceOf(IllegalArgumentException.class);
        assertThat(servers.redis.keys("interlock:lock:{a}*")).isEmpty();
    }
}
