// SPDX-License-Identifier: Apache-2.0
package dev.interlock.lock;

import static org.assertj.core.api.Assertions.assertThat;

import dev.interlock.Topology;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;

/** What another JVM had when it was killed. */
class LockKilledIT extends LockSetup {
    private static final Duration LEASE = Duration.ofMillis(1_500);
    /** A lease, and room for threads that wait for a core. */
    private static final long FREE_NANOS = LEASE.plusSeconds(2).toNanos();

    LockKilledIT() {
        super(Topology.STANDALONE);
    }

    /** L15 without its clock, which no lock reads: see ArchitectureTest. */
    @Test
    void itsPermitLeadershipAndLockAreFreeAtTheEndOfItsLeasesAndNoEarlier() throws Exception {
        String name = Topology.name("job");
        String permits = "interlock:semaphore:{" + name + "}";
        LockOptions options = leased(LEASE);
        Lease mine = here.locks().semaphore(name, 2, options).acquire(LONG);
        AtomicLong elected = new AtomicLong();
        try (LockJvm jvm = new LockJvm("have", server.alone().uri(), name, LEASE.toString())) {
            jvm.awaitLine("LEADS");
            LockOwner owner = here.lock(name).owner().orElseThrow();
            assertThat(owner.application()).isEqualTo("lock-jvm");
            assertThat(owner.pid())
                    .isPositive()
                    .isNotEqualTo(ProcessHandle.current().pid());
            CompletableFuture<Lease> permit = there.locks()
                    .semaphore(name, 2, options)
                    .async()
                    .acquire(LONG)
                    .toCompletableFuture();
            CompletableFuture<Lease> lock =
                    there.lock(name, options).async().acquire(LONG).toCompletableFuture();
            LeaderElection successor = here.locks().election(name, options, new LeaderElection.Candidate() {
                @Override
                public void onElected(Lease lease) {
                    elected.set(lease.fence());
                }

                @Override
                public void onRevoked() {}
            });
            Awaitility.await()
                    .atMost(LONG)
                    .until(() -> redis.exists(permits + ":queue", key(name) + ":queue") == 2
                            && redis.exists("interlock:election:{" + name + "}:queue") == 1);
            jvm.signal("KILL");
            jvm.awaitEnd();
            long killed = System.nanoTime();
            long dead = deadUntilMicros(permits, mine);
            Lease freed = permit.get(10, TimeUnit.SECONDS);
            // A permit's fence is the time of its grant by the clock of Redis.
            assertThat(freed.fence()).isGreaterThanOrEqualTo(dead);
            Lease locked = lock.get(10, TimeUnit.SECONDS);
            Awaitility.await().atMost(LONG).until(() -> elected.get() > 0);
            assertThat(System.nanoTime() - killed).isLessThan(FREE_NANOS);
            assertThat(locked.fence()).isGreaterThan(owner.fence());
            assertThat(mine.isValid()).isTrue();
            assertThat(here.locks().semaphore(name, 2, options).tryAcquire()).isEmpty();
            successor.close();
            List.of(freed, locked, mine).forEach(Lease::close);
        }
    }

    /** End of the lease of the permit that is not ours. */
    private long deadUntilMicros(String permits, Lease mine) {
        return redis.zrangeWithScores(permits, 0, -1).stream()
                .filter(holder -> !holder.getValue().endsWith(mine.ownerToken()))
                .mapToLong(holder -> (long) holder.getScore())
                .findFirst()
                .orElseThrow();
    }
}
