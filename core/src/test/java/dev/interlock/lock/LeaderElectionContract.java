// SPDX-License-Identifier: Apache-2.0
package dev.interlock.lock;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.interlock.Interlock;
import dev.interlock.Topology;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;

/** What every leader election promises; the subclasses say on which topology. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
abstract class LeaderElectionContract {
    private static final Duration LONG = Duration.ofSeconds(20);

    private final Topology topology;
    private Servers servers;

    LeaderElectionContract(Topology topology) {
        this.topology = topology;
    }

    @BeforeAll
    void start() {
        servers = new Servers(topology);
    }

    @AfterAll
    void stop() {
        servers.close();
    }

    /** Writes down what it is told. */
    private static final class Diary implements LeaderElection.Candidate {
        final List<String> told = new CopyOnWriteArrayList<>();
        final List<Long> fences = new CopyOnWriteArrayList<>();

        @Override
        public void onElected(Lease lease) {
            told.add("elected");
            fences.add(lease.fence());
        }

        @Override
        public void onRevoked() {
            told.add("revoked");
        }
    }

    private static void awaitLeader(LeaderElection election) {
        Awaitility.await().atMost(LONG).until(election::isLeader);
    }

    @Test
    void oneLeadsAndTheNextFollowsWhenItResigns() {
        String name = Topology.name("chief");
        Diary first = new Diary();
        Diary second = new Diary();
        LeaderElection one = servers.here.locks().election(name, first);
        awaitLeader(one);
        LeaderElection two = servers.there.locks().election(name, second);
        Awaitility.await().atMost(LONG).until(() -> servers.redis.llen("interlock:election:{" + name + "}:queue") == 1);
        Awaitility.await()
                .atMost(LONG)
                .untilAsserted(() -> assertThat(first.told).containsExactly("elected"));
        assertThat(two.isLeader()).isFalse();
        assertThat(two.leadership()).isEmpty();
        assertThat(servers.here.lock(name).owner()).isEmpty();
        one.close();
        one.close();
        assertThat(one.isLeader()).isFalse();
        assertThat(first.told).containsExactly("elected", "revoked");
        awaitLeader(two);
        Awaitility.await()
                .atMost(LONG)
                .untilAsserted(() -> assertThat(second.told).containsExactly("elected"));
        assertThat(second.fences.get(0)).isGreaterThan(first.fences.get(0));
        assertThat(two.name()).isEqualTo(name);
        two.close();
        assertThat(servers.redis.exists("interlock:election:{" + name + "}")).isZero();
    }

    @Test
    void aLeaderThatLosesItsLeaseIsToldAndStandsAgain() {
        String name = Topology.name("chief");
        Diary diary = new Diary();
        try (LeaderElection election = servers.here.locks().election(name, diary)) {
            awaitLeader(election);
            for (int i = 2; i <= 3; i++) {
                int elections = i;
                // The watch begins shortly after the grant; until then the end of the lease would tell.
                long begin = System.nanoTime();
                Awaitility.await().atMost(LONG).until(() -> System.nanoTime() - begin > 300_000_000L);
                servers.redis.del("interlock:election:{" + name + "}");
                Awaitility.await().atMost(LONG).until(() -> diary.fences.size() == elections);
            }
            assertThat(diary.told).containsExactly("elected", "revoked", "elected", "revoked", "elected");
            assertThat(diary.fences).isSorted().doesNotHaveDuplicates();
        }
        assertThat(diary.told).hasSize(6).endsWith("revoked");
    }

    @Test
    void aLeaderThatDiesIsFollowedAtTheEndOfItsLease() {
        String name = Topology.name("chief");
        Interlock dying = Topology.connect(servers.server);
        LockOptions options = LockOptions.DEFAULTS.withLeaseTime(Duration.ofMillis(700));
        LeaderElection dead = dying.locks().election(name, options, new Diary());
        awaitLeader(dead);
        try (LeaderElection next = servers.here.locks().election(name, options, new Diary())) {
            dying.close();
            awaitLeader(next);
            assertThat(dead.isLeader()).isFalse();
        }
        dead.close();
    }

    @Test
    void neverTwoLeadersWhileTheyComeAndGo() {
        String name = Topology.name("chief");
        AtomicInteger leading = new AtomicInteger();
        AtomicInteger wrong = new AtomicInteger();
        AtomicInteger elections = new AtomicInteger();
        List<LeaderElection> all = new ArrayList<>();
        for (int i = 0; i < 12; i++) {
            all.add((i % 2 == 0 ? servers.here : servers.there).locks().election(name, new LeaderElection.Candidate() {
                @Override
                public void onElected(Lease lease) {
                    wrong.addAndGet(leading.incrementAndGet() > 1 ? 1 : 0);
                    elections.incrementAndGet();
                }

                @Override
                public void onRevoked() {
                    leading.decrementAndGet();
                }
            }));
        }
        for (int i = 0; i < 12; i++) {
            Awaitility.await().atMost(LONG).until(() -> leading.get() == 1);
            assertThat(all.stream().filter(LeaderElection::isLeader)).hasSizeLessThanOrEqualTo(1);
            LeaderElection leader = Awaitility.await()
                    .atMost(LONG)
                    .until(
                            () -> all.stream()
                                    .filter(LeaderElection::isLeader)
                                    .findFirst()
                                    .orElse(null),
                            found -> found != null);
            leader.close();
        }
        assertThat(wrong).hasValue(0);
        assertThat(elections).hasValue(12);
        assertThat(leading).hasValue(0);
    }

    @Test
    void aCandidateThatFailsStillLeadsAndCanResignInside() {
        String name = Topology.name("chief");
        Diary diary = new Diary();
        LeaderElection election = servers.here.locks().election(name, new LeaderElection.Candidate() {
            @Override
            public void onElected(Lease lease) {
                diary.onElected(lease);
                throw new IllegalStateException("expected by this test");
            }

            @Override
            public void onRevoked() {
                diary.onRevoked();
            }
        });
        awaitLeader(election);
        Awaitility.await().atMost(LONG).until(() -> diary.told.size() == 1);
        assertThat(election.isLeader()).isTrue();
        election.close();
        assertThat(diary.told).containsExactly("elected", "revoked");
    }

    @Test
    void badNamesAreRefused() {
        for (String name : new String[] {"", " a", "a\nb", "x".repeat(513)}) {
            assertThatThrownBy(() -> servers.here.locks().election(name, new Diary()))
                    .isInstanceOf(IllegalArgumentException.class);
        }
    }
}
