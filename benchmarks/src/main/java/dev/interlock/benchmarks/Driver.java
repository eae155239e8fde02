// SPDX-License-Identifier: Apache-2.0
package dev.interlock.benchmarks;

import dev.interlock.benchmarks.Contender.Measurement;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongConsumer;
import java.util.function.LongFunction;
import org.HdrHistogram.ConcurrentHistogram;
import org.HdrHistogram.Histogram;

/** Keeps a given number of operations going and measures each. */
final class Driver {
    private static final long MOST_NANOS = 60_000_000_000L;
    private static final int DIGITS = 3;

    private Driver() {}

    static Histogram histogram() {
        return new Histogram(MOST_NANOS, DIGITS);
    }

    /** Threads that each do one operation after the other; the operation gets a number of its own. */
    static Measurement blocking(int threads, long nanos, LongConsumer operation) throws Exception {
        AtomicLong next = new AtomicLong(System.nanoTime());
        long start = System.nanoTime();
        Callable<Histogram> loop = () -> {
            Histogram latency = histogram();
            long now = System.nanoTime();
            while (now - start < nanos) {
                operation.accept(next.incrementAndGet());
                long end = System.nanoTime();
                latency.recordValue(end - now);
                now = end;
            }
            return latency;
        };
        return together(threads, loop, start);
    }

    /** Runs the same on so many threads and adds up what they measured. */
    static Measurement together(int threads, Callable<Histogram> loop, long start) throws Exception {
        ExecutorService pool = Executors.newFixedThreadPool(threads);
        try {
            List<Future<Histogram>> loops = new ArrayList<>();
            for (int i = 0; i < threads; i++) {
                loops.add(pool.submit(loop));
            }
            Histogram all = histogram();
            for (Future<Histogram> each : loops) {
                all.add(each.get());
            }
            return new Measurement(all.getTotalCount(), System.nanoTime() - start, all, "");
        } finally {
            pool.shutdownNow();
        }
    }

    /** One thread that keeps so many operations in flight. */
    static Measurement async(int inFlight, long nanos, LongFunction<CompletionStage<?>> operation) throws Exception {
        Semaphore window = new Semaphore(inFlight);
        ConcurrentHistogram latency = new ConcurrentHistogram(MOST_NANOS, DIGITS);
        AtomicLong failures = new AtomicLong();
        long start = System.nanoTime();
        long number = start;
        while (System.nanoTime() - start < nanos) {
            window.acquire();
            long sent = System.nanoTime();
            operation.apply(number++).whenComplete((done, error) -> {
                latency.recordValue(System.nanoTime() - sent);
                if (error != null) {
                    failures.incrementAndGet();
                }
                window.release();
            });
        }
        window.acquire(inFlight);
        long took = System.nanoTime() - start;
        if (failures.get() > 0) {
            throw new IllegalStateException(failures.get() + " operations failed");
        }
        return new Measurement(latency.getTotalCount(), took, latency, "");
    }
}
