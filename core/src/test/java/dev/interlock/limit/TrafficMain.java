// SPDX-License-Identifier: Apache-2.0
package dev.interlock.limit;

import dev.interlock.Interlock;
import dev.interlock.Topology;
import dev.interlock.limit.Oracle.Grant;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.locks.LockSupport;

/** One process of the traffic test: asks as fast as it is let, and prints what it was granted. */
final class TrafficMain {
    static final Map<String, Limit> LIMITS = new TreeMap<>(Map.of(
            "log", Limit.slidingWindow(200, Duration.ofMillis(500)),
            "gcra", Limit.gcra(400, Duration.ofSeconds(1)).burst(50),
            "counter", Limit.slidingCounter(200, Duration.ofMillis(500)),
            "fixed", Limit.fixedWindow(200, Duration.ofMillis(500))));

    private static final int THREADS = 2;

    private TrafficMain() {}

    /** Takes the URI of Redis, when to begin by the wall clock, and how many milliseconds to run. */
    public static void main(String[] args) throws InterruptedException {
        Map<String, ConcurrentLinkedQueue<Grant>> granted = new ConcurrentHashMap<>();
        try (Interlock interlock = Interlock.connect(args[0])) {
            List<Thread> threads = new ArrayList<>();
            for (Map.Entry<String, Limit> entry : LIMITS.entrySet()) {
                granted.put(entry.getKey(), new ConcurrentLinkedQueue<>());
                RateLimiter limiter = interlock.rateLimiter(
                        entry.getKey(), RateLimiterOptions.DEFAULT.withDeadline(Topology.PATIENCE), entry.getValue());
                limiter.peek("hot", 1);
                for (int i = 0; i < THREADS; i++) {
                    threads.add(new Thread(() -> ask(limiter, Long.parseLong(args[2]), granted.get(entry.getKey()))));
                }
            }
            LockSupport.parkUntil(Long.parseLong(args[1]));
            threads.forEach(Thread::start);
            for (Thread thread : threads) {
                thread.join();
            }
        }
        granted.forEach((name, grants) ->
                grants.forEach(grant -> System.out.println(name + ' ' + grant.at() + ' ' + grant.units())));
    }

    private static void ask(RateLimiter limiter, long millis, ConcurrentLinkedQueue<Grant> granted) {
        long end = System.nanoTime() + millis * 1_000_000;
        for (int i = 0; System.nanoTime() < end; i++) {
            Decision decision = limiter.tryAcquire("hot", 1 + i % 2);
            Receipt receipt = decision.receipt();
            if (receipt != null) {
                granted.add(new Grant(receipt.atMicros(), receipt.units()));
            } else {
                LockSupport.parkNanos(100_000);
            }
        }
    }
}
