// SPDX-License-Identifier: Apache-2.0
package dev.interlock.lock;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.interlock.CorruptStateException;
import dev.interlock.Interlock;
import dev.interlock.NotExecutedException;
import dev.interlock.Topology;
import dev.interlock.embedded.FaultProxy;
import dev.interlock.embedded.RedisServer;
import io.lettuce.core.RedisClient;
import io.lettuce.core.SetArgs;
import io.lettuce.core.api.StatefulRedisConnection;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The quorum lock on five real servers. */
class QuorumLockIT {
    private static final Duration LONG = Duration.ofSeconds(20);
    private static final QuorumOptions OPTIONS = QuorumOptions.DEFAULTS.withNodeTimeout(Duration.ofMillis(400));

    private final List<RedisServer> servers = new ArrayList<>();
    private final List<FaultProxy> proxies = new ArrayList<>();
    private final List<Interlock> here = new ArrayList<>();
    private final List<Interlock> there = new ArrayList<>();

    @BeforeEach
    void start() {
        for (int i = 0; i < 5; i++) {
            RedisServer server = RedisServer.start();
            FaultProxy proxy = FaultProxy.to(server.port());
            servers.add(server);
            proxies.add(proxy);
            here.add(Interlock.connect(proxy.redisUri()));
            there.add(Interlock.connect(server.uri()));
        }
    }

    @AfterEach
    void stop() {
        here.forEach(Interlock::close);
        there.forEach(Interlock::close);
        proxies.forEach(FaultProxy::close);
        servers.forEach(RedisServer::close);
    }

    /** What may be wrong with a node. */
    enum Fault {
        DEAD,
        PAUSED,
        SLOW
    }

    private void inject(Fault fault, int node) {
        switch (fault) {
            case DEAD -> servers.get(node).kill();
            case PAUSED -> servers.get(node).pause();
            case SLOW -> proxies.get(node).delay(Duration.ofMillis(600));
        }
    }

    private static QuorumLock lock(List<Interlock> nodes, String name, QuorumOptions options) {
        return Locks.quorum(name, options, nodes.stream().map(Interlock::locks).toList());
    }

    private static QuorumLock lock(List<Interlock> nodes, String name) {
        return lock(nodes, name, OPTIONS);
    }

    private static <T> T on(RedisServer server, Function<StatefulRedisConnection<String, String>, T> work) {
        RedisClient client = RedisClient.create(server.uri());
        try (StatefulRedisConnection<String, String> connection = client.connect()) {
            return work.apply(connection);
        } finally {
            client.shutdown(0, 1, TimeUnit.SECONDS);
        }
    }

    private static boolean votedFor(RedisServer server, String name) {
        return on(server, redis -> redis.sync().exists("interlock:quorum:{" + name + "}") == 1);
    }

    @Test
    void oneHasItAtATimeInAllThreeViewsAndLaterFencesAreLarger() throws Exception {
        String name = Topology.name("q");
        long last = 0;
        for (int view = 0; view < 3; view++) {
            QuorumLock mine = lock(here, name);
            QuorumLock theirs = lock(there, name);
            QuorumLease lease = switch (view) {
                case 0 -> mine.acquire(LONG);
                case 1 -> mine.async().acquire(LONG).toCompletableFuture().join();
                default -> mine.reactive().acquire(LONG).block();
            };
            assertThat(lease.fence()).isGreaterThan(last);
            last = lease.fence();
            assertThat(lease.validFor()).isBetween(Duration.ofSeconds(5), Duration.ofMillis(9_898));
            assertThat(theirs.tryAcquire()).isEmpty();
            assertThat(theirs.reactive().tryAcquire().blockOptional()).isEmpty();
            assertThat(theirs.async()
                            .tryAcquire(Duration.ofMillis(50))
                            .toCompletableFuture()
                            .join())
                    .isEmpty();
            assertThatThrownBy(() -> theirs.acquire(Duration.ofMillis(50))).isInstanceOf(LockTimeoutException.class);
            assertThatThrownBy(() ->
                            theirs.reactive().acquire(Duration.ofMillis(50)).block())
                    .isInstanceOf(LockTimeoutException.class);
            assertThat(lease.isValid()).isTrue();
            assertThat(lease.release()).isEqualTo(new ReleaseResult.Released());
            assertThat(lease.release()).isEqualTo(new ReleaseResult.Expired());
            assertThat(lease.isValid()).isFalse();
            assertThatThrownBy(lease::ensureValid)
                    .isInstanceOf(LeaseLostException.class)
                    .hasMessageContaining("released");
        }
    }

    /** Row 29: two of five. A grant costs at most one node time-out, of 400 ms; the rest is the machine's. */
    @ParameterizedTest
    @EnumSource(Fault.class)
    void worksWithAMinorityThatIsDeadPausedOrSlow(Fault fault) throws Exception {
        String name = Topology.name("q");
        long before;
        try (QuorumLease lease = lock(here, name).acquire(LONG)) {
            before = lease.fence();
        }
        inject(fault, 0);
        inject(fault, 3);
        long begin = System.nanoTime();
        QuorumLease lease = lock(here, name).tryAcquire().orElseThrow();
        assertThat(System.nanoTime() - begin).isLessThan(TimeUnit.MILLISECONDS.toNanos(900));
        assertThat(lease.fence()).isGreaterThan(before);
        assertThat(lock(there, name).tryAcquire()).isEmpty();
        assertThat(lease.release()).isEqualTo(new ReleaseResult.Released());
        if (fault == Fault.PAUSED) {
            servers.get(0).resume();
            servers.get(3).resume();
        }
        QuorumLease next = lock(there, name).acquire(LONG);
        assertThat(next.fence()).isGreaterThan(lease.fence());
        next.close();
    }

    /** Row 29: three of five. */
    @Test
    void grantsNothingWithAMajorityDownAndGivesEverythingBack() {
        String name = Topology.name("q");
        servers.get(0).kill();
        servers.get(1).kill();
        servers.get(2).pause();
        assertThatThrownBy(() -> lock(here, name).tryAcquire())
                .isInstanceOf(NotExecutedException.class)
                .hasMessageContaining("3 of 5 nodes");
        Awaitility.await().atMost(LONG).until(() -> !votedFor(servers.get(3), name) && !votedFor(servers.get(4), name));
        servers.get(2).resume();
        // What the paused node then finds in its socket is undone there too.
        Awaitility.await().pollDelay(Duration.ofMillis(700)).atMost(LONG).until(() -> !votedFor(servers.get(2), name));
    }

    /** Majorities meet: each holder sees other nodes than the one before, and yet his fence is larger. */
    @Test
    void fencesGrowThoughEveryMajorityIsAnotherAndClocksDoNotHelp() throws Exception {
        String name = Topology.name("q");
        long far = System.currentTimeMillis() * 1_000 + TimeUnit.HOURS.toMicros(1);
        // One node has seen a fence of a faster clock; the first grant carries it to a majority.
        on(
                servers.get(0),
                redis -> redis.sync().set("interlock:quorum:{" + name + "}:fence", "" + far, SetArgs.Builder.ex(60)));
        proxies.get(3).mode(FaultProxy.Mode.REFUSE);
        proxies.get(4).mode(FaultProxy.Mode.REFUSE);
        proxies.get(3).cutAll();
        proxies.get(4).cutAll();
        long first;
        try (QuorumLease lease = lock(here, name).acquire(LONG)) {
            first = lease.fence();
            assertThat(first).isGreaterThan(far);
        }
        servers.get(0).kill();
        servers.get(1).kill();
        try (QuorumLease lease = lock(there, name).acquire(LONG)) {
            assertThat(lease.fence()).isGreaterThan(first);
        }
    }

    @Test
    void aLeaseIsRenewedWhileAMajorityLivesAndLostWhenNoneDoes() throws Exception {
        String name = Topology.name("q");
        QuorumOptions brief = new QuorumOptions(Duration.ofMillis(900), true, Duration.ofMillis(200));
        QuorumLease lease = lock(here, name, brief).acquire(LONG);
        CountDownLatch lost = new CountDownLatch(1);
        lease.onLost(lost::countDown);
        servers.get(4).kill();
        long begin = System.nanoTime();
        Awaitility.await().atMost(LONG).until(() -> System.nanoTime() - begin > TimeUnit.MILLISECONDS.toNanos(1_800));
        assertThat(lease.isValid()).isTrue();
        assertThat(lock(there, name, brief).tryAcquire()).isEmpty();
        servers.get(0).pause();
        servers.get(1).pause();
        assertThat(lost.await(5, TimeUnit.SECONDS)).isTrue();
        assertThat(lease.isValid()).isFalse();
        assertThatThrownBy(lease::ensureValid).isInstanceOf(LeaseLostException.class);
        servers.get(0).resume();
        servers.get(1).resume();
        assertThat(lease.release()).isEqualTo(new ReleaseResult.Expired());
        lock(there, name, brief).acquire(LONG).close();
    }

    @Test
    void cancelledAndInterruptedAcquiresLeaveNoVotes() throws Exception {
        String name = Topology.name("q");
        for (int i = 0; i < 10; i++) {
            CompletableFuture<Optional<QuorumLease>> asked =
                    lock(here, name).async().tryAcquire(LONG).toCompletableFuture();
            Thread thread = new Thread(() -> {
                try (QuorumLease lease = lock(there, name).acquire(LONG)) {
                    lease.isValid();
                } catch (InterruptedException e) {
                    Thread.currentThread().interrupt();
                }
            });
            thread.start();
            for (int spin = ThreadLocalRandom.current().nextInt(50_000); spin > 0; spin--) {
                Thread.onSpinWait();
            }
            thread.interrupt();
            if (!asked.cancel(false)) {
                asked.join().ifPresent(QuorumLease::close);
            }
            thread.join();
        }
        Awaitility.await().atMost(LONG).until(() -> servers.stream().noneMatch(server -> votedFor(server, name)));
    }

    @Test
    void neverTwoValidLeasesUnderContentionWithADyingNode() throws Exception {
        String name = Topology.name("q");
        AtomicInteger inside = new AtomicInteger();
        AtomicInteger wrong = new AtomicInteger();
        AtomicInteger done = new AtomicInteger();
        List<Thread> threads = new ArrayList<>();
        for (int t = 0; t < 4; t++) {
            QuorumLock lock = lock(t % 2 == 0 ? here : there, name);
            threads.add(new Thread(() -> {
                for (int i = 0; i < 5; i++) {
                    try (QuorumLease lease = lock.acquire(LONG)) {
                        wrong.addAndGet(inside.incrementAndGet() > 1 && lease.isValid() ? 1 : 0);
                        inside.decrementAndGet();
                        if (done.incrementAndGet() == 7) {
                            servers.get(2).kill();
                        }
                    } catch (InterruptedException e) {
                        return;
                    }
                }
            }));
        }
        threads.forEach(Thread::start);
        for (Thread thread : threads) {
            thread.join(TimeUnit.SECONDS.toMillis(40));
        }
        assertThat(done).hasValue(20);
        assertThat(wrong).hasValue(0);
    }

    @Test
    void badInputAndForeignKeysAreRefused() {
        List<Locks> nodes = here.stream().map(Interlock::locks).toList();
        assertThatThrownBy(() -> Locks.quorum("", OPTIONS, nodes)).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> Locks.quorum("q", OPTIONS, nodes.subList(0, 2)))
                .isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> Locks.quorum("q", OPTIONS, List.of(nodes.get(0), nodes.get(0), nodes.get(1))))
                .isInstanceOf(IllegalArgumentException.class);
        Duration negative = Duration.ofMillis(-1);
        assertThatThrownBy(() -> lock(here, "q").tryAcquire(negative)).isInstanceOf(IllegalArgumentException.class);
        String name = Topology.name("q");
        servers.forEach(server -> on(server, redis -> redis.sync().set("interlock:quorum:{" + name + "}", "theirs")));
        assertThatThrownBy(() -> lock(here, name).tryAcquire()).isInstanceOf(CorruptStateException.class);
        for (RedisServer server : servers) {
            String kept = on(server, redis -> redis.sync().get("interlock:quorum:{" + name + "}"));
            assertThat(kept).isEqualTo("theirs");
        }
    }
}
