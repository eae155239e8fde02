// SPDX-License-Identifier: Apache-2.0
package dev.interlock.lock;

import dev.interlock.Interlock;
import dev.interlock.InterlockException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/**
 * Another JVM that uses locks; what it does is said by its arguments, what happened by its output. Times are those of the
 * machine's monotonic clock, which all JVMs share.
 */
final class LockJvmMain {
    private static final Duration WAIT = Duration.ofSeconds(30);
    private static final PrintStream OUT = new PrintStream(System.out, true, StandardCharsets.UTF_8);

    private LockJvmMain() {}

    public static void main(String[] args) throws Exception {
        try (Interlock interlock = Interlock.builder()
                .uri(args[1])
                .commandTimeout(Duration.ofSeconds(1))
                .application("lock-jvm")
                .build()) {
            interlock
                    .lock("warm-up-" + ProcessHandle.current().pid())
                    .acquire(WAIT)
                    .close();
            switch (args[0]) {
                case "wait" -> await(interlock.lock(args[2]));
                case "hold" -> hold(interlock, args[2], Duration.parse(args[3]));
                case "contend" -> contend(interlock, args);
                case "have" -> have(interlock, args[2], LockOptions.DEFAULTS.withLeaseTime(Duration.parse(args[3])));
                default -> throw new IllegalArgumentException(args[0]);
            }
        }
    }

    private static void await(DistributedLock lock) throws InterruptedException {
        OUT.println("WAITING");
        OUT.println("GOT " + lock.acquire(WAIT).fence());
        LockSupport.park();
    }

    /** Holds, and says at each line of its input whether the lease is valid, without asking anybody. */
    private static void hold(Interlock interlock, String name, Duration leaseTime) throws Exception {
        Lease lease = interlock
                .lock(name, LockOptions.DEFAULTS.withLeaseTime(leaseTime))
                .acquire(WAIT);
        OUT.println("HELD " + lease.fence());
        while (System.in.read() != -1) {
            long begin = System.nanoTime();
            String answer;
            try {
                lease.ensureValid();
                answer = "VALID";
            } catch (LeaseLostException e) {
                answer = "LOST";
            }
            OUT.println(answer + ' ' + (System.nanoTime() - begin));
        }
    }

    /** Holds a lock and a permit and leads, all by the same name, until it is killed. */
    private static void have(Interlock interlock, String name, LockOptions options) throws InterruptedException {
        Lease lock = interlock.lock(name, options).acquire(WAIT);
        Lease permit = interlock.locks().semaphore(name, 2, options).acquire(WAIT);
        LeaderElection election = interlock.locks().election(name, options, new LeaderElection.Candidate() {
            @Override
            public void onElected(Lease lease) {
                OUT.println("LEADS " + lock.fence() + ' ' + permit.fence() + ' ' + lease.fence());
            }

            @Override
            public void onRevoked() {
                OUT.println("REVOKED");
            }
        });
        LockSupport.park(election);
    }

    /** "contend uri names threads seconds seed": threads take the locks in turn until the time is over. */
    private static void contend(Interlock interlock, String[] args) throws InterruptedException {
        long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(Long.parseLong(args[4]));
        List<Thread> threads = new ArrayList<>();
        OUT.println("READY");
        for (int i = 0; i < Integer.parseInt(args[3]); i++) {
            Random random = new Random(Long.parseLong(args[5]) + i);
            Thread thread = new Thread(() -> contend(interlock, Integer.parseInt(args[2]), random, end));
            thread.start();
            threads.add(thread);
        }
        for (Thread thread : threads) {
            thread.join();
        }
        OUT.println("END");
    }

    private static void contend(Interlock interlock, int names, Random random, long end) {
        LockOptions options = LockOptions.DEFAULTS.withLeaseTime(Duration.ofSeconds(1));
        while (System.nanoTime() - end < 0) {
            String name = "shared-" + random.nextInt(names);
            try {
                Optional<Lease> lease = interlock.lock(name, options).tryAcquire(Duration.ofSeconds(2));
                if (lease.isPresent()) {
                    use(lease.get(), random);
                }
            } catch (InterlockException e) {
                OUT.println("FAILED " + e.getClass().getSimpleName());
            } catch (InterruptedException e) {
                throw new IllegalStateException(e);
            }
        }
    }

    /** Tells from when until when the lease was surely valid. */
    private static void use(Lease lease, Random random) {
        try (lease) {
            long from = System.nanoTime();
            if (!lease.isValid()) {
                return;
            }
            long until = from;
            for (int step = random.nextInt(4); step >= 0; step--) {
                LockSupport.parkNanos(random.nextInt(1_000_000));
                long now = System.nanoTime();
                if (lease.isValid()) {
                    until = now;
                }
            }
            OUT.println("USED " + lease.name() + ' ' + lease.fence() + ' ' + from + ' ' + until);
        }
    }
}
