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
        long end = System.nanoTime() + nanos;
        return all(
                Executors.newFixedThreadPool(threads),
                threads,
                thread -> loop(peer, keys.apply(thread), sectionNanos, end));
    }

    /** The same on virtual threads, without a critical section. */
    static Result virtual(LockPeer peer, int threads, IntFunction<String> keys, long nanos) throws Exception {
        long end = System.nanoTime() + nanos;
        return all(virtualThreads(), threads, thread -> loop(peer, keys.apply(thread), 0, end));
    }

    /** Whether this JVM has virtual threads. */
    static boolean hasVirtualThreads() {
        return Runtime.version().feature() >= 21;
    }

    /** By name, because this is compiled for Java 17. */
    private static ExecutorService virtualThreads() throws ReflectiveOperationException {
        return (ExecutorService)
                Executors.class.getMethod("newVirtualThreadPerTaskExecutor").invoke(null);
    }

    /** Locks that are asked for at a fixed rate, evenly over threads; a wait counts from when its request was due. */
    static Result paced(LockPeer peer, int threads, IntFunction<String> keys, double perSecond, long nanos)
            throws Exception {
        long start = System.nanoTime();
        double interval = threads * 1e9 / perSecond;
        return all(Executors.newFixedThreadPool(threads), threads, thread -> {
            Histogram waits = Driver.histogram();
            String key = keys.apply(thread);
            double due = interval * thread / threads;
            for (; due < nanos; due += interval) {
                long early = start + (long) due - System.nanoTime();
                if (early > 0) {
                    LockSupport.parkNanos(early);
                }
                Runnable release = peer.acquire(key);
                waits.recordValue(Math.max(0, System.nanoTime() - start - (long) due));
                release.run();
            }
            return waits;
        });
    }

    private interface Loop {
        Histogram run(int thread) throws Exception;
    }

    private static Result all(ExecutorService pool, int threads, Loop each) throws Exception {
        try {
            List<Future<Histogram>> loops = new ArrayList<>();
            for (int i = 0; i < threads; i++) {
                int thread = i;
                loops.add(pool.submit(() -> each.run(thread)));
            }
            Histogram all = Driver.histogram();
            List<Long> counts = new ArrayList<>();
            for (Future<Histogram> loop : loops) {
                Histogram waits = loop.get();
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
