// SPDX-License-Identifier: Apache-2.0
package dev.interlock.benchmarks;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.locks.LockSupport;
import java.util.function.IntFunction;
import org.HdrHistogram.Histogram;

/** Threads of this JVM that each take a lock, hold it for a while and give it back, again and again. */
final class LockLoops {
    /**
     * What threads did.
     *
     * @param waits time from asking to having, in nanoseconds
     * @param counts acquisitions of each thread
     */
    record Result(Histogram waits, List<Long> counts) {
        Result add(Result other) {
            Histogram all = waits.copy();
            all.add(other.waits);
            List<Long> each = new ArrayList<>(counts);
            each.addAll(other.counts);
            return new Result(all, each);
        }

        /** How fair it was, for the table. */
        String fairness() {
            long least = Collections.min(counts);
            long most = Collections.max(counts);
            return String.format(
                    Locale.ROOT, "max/min per thread %.2f (%d/%d)", (double) most / Math.max(1, least), most, least);
        }
    }

    private LockLoops() {}

    static Result run(LockPeer peer, int threads, IntFunction<String> keys, long sectionNanos, long nanos)
            throws Exception {
        ExecutorService pool = Executors.newFixedThreadPool(threads);
        try {
            long end = System.nanoTime() + nanos;
            List<Future<Histogram>> loops = new ArrayList<>();
            for (int i = 0; i < threads; i++) {
                String key = keys.apply(i);
                loops.add(pool.submit(() -> loop(peer, key, sectionNanos, end)));
            }
            Histogram all = Driver.histogram();
            List<Long> counts = new ArrayList<>();
            for (Future<Histogram> each : loops) {
                Histogram waits = each.get();
                counts.add(waits.getTotalCount());
                all.add(waits);
            }
            return new Result(all, counts);
        } finally {
            pool.shutdownNow();
        }
    }

    private static Histogram loop(LockPeer peer, String key, long sectionNanos, long end) throws Exception {
        Histogram waits = Driver.histogram();
        while (System.nanoTime() - end < 0) {
            long asked = System.nanoTime();
            Runnable release = peer.acquire(key);
            waits.recordValue(System.nanoTime() - asked);
            if (sectionNanos > 0) {
                LockSupport.parkNanos(sectionNanos);
            }
            release.run();
        }
        return waits;
    }
}
