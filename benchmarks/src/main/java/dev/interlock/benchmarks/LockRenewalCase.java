// SPDX-License-Identifier: Apache-2.0
package dev.interlock.benchmarks;

import dev.interlock.benchmarks.LockPeer.Kind;
import dev.interlock.embedded.RedisServer;
import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.locks.LockSupport;

/** Holds many locks and does nothing, for at least two rounds of renewals. An operation is a lease held for a second. */
final class LockRenewalCase implements Case {
    private static final int HELD = 10_000;
    private static final long LEAST_NANOS = 20_000_000_000L;

    private final RedisServer server = RedisServer.start();
    private final List<LockPeer> peers = new ArrayList<>();

    LockRenewalCase() {
        peers.add(Kind.REDISSON.connect(server.port()));
        peers.add(Kind.INTERLOCK.connect(server.port()));
    }

    @Override
    public String title() {
        return "lock, " + HELD + " leases of 30 s held and renewed; operations are lease-seconds";
    }

    @Override
    public List<Contender> contenders() {
        return peers.stream().<Contender>map(LockRenewalCase::contender).toList();
    }

    private static Contender contender(LockPeer peer) {
        return new Contender() {
            @Override
            public String name() {
                return peer.name();
            }

            @Override
            public Measurement run(long nanos) throws Exception {
                List<Runnable> held = new ArrayList<>();
                for (int i = 0; i < HELD; i++) {
                    held.add(peer.acquire("held" + i));
                }
                long start = System.nanoTime();
                long cpu = cpuNanos();
                while (System.nanoTime() - start < Math.max(LEAST_NANOS, nanos)) {
                    LockSupport.parkNanos(100_000_000);
                }
                long took = System.nanoTime() - start;
                double share = (cpuNanos() - cpu) * 100.0 / took;
                held.forEach(Runnable::run);
                return new Measurement(
                        HELD * took / 1_000_000_000,
                        took,
                        Driver.histogram(),
                        String.format(Locale.ROOT, "client CPU %.2f %% of a core while holding", share));
            }
        };
    }

    private static long cpuNanos() {
        return ((com.sun.management.OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean())
                .getProcessCpuTime();
    }

    @Override
    public int redisPort() {
        return server.port();
    }

    @Override
    public void close() {
        peers.forEach(LockPeer::close);
        server.close();
    }
}
