// SPDX-License-Identifier: Apache-2.0
package dev.interlock.benchmarks;

import dev.interlock.benchmarks.Contender.Measurement;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import org.HdrHistogram.ConcurrentHistogram;
import org.HdrHistogram.Histogram;

/** Requests that arrive at a fixed rate, whether or not those before them are answered: latency without a queue of its own. */
final class LimitPace {
    private static final double SHARE = 0.6;
    private static final int IN_FLIGHT = 1_000;
    private static final long MOST_NANOS = 60_000_000_000L;
    private static final long NAP_NANOS = 50_000;

    private LimitPace() {}

    /** Finds the most the way can do in a third of the time, and measures at 60 % of it in the rest. */
    static Measurement run(LimitWay way, LimitWay.Users users, long nanos) throws Exception {
        double most = Driver.async(IN_FLIGHT, nanos / 3, number -> way.takeAsync(users.of(number)))
                .perSecond();
        double rate = most * SHARE;
        Measurement paced = paced(rate, nanos - nanos / 3, way, users);
        return new Measurement(
                paced.operations(), paced.nanos(), paced.latency(), String.format("of at most %,.0f/s", most));
    }

    /** Latencies count from when a request was due, so a late sender does not hide a wait. */
    private static Measurement paced(double perSecond, long nanos, LimitWay way, LimitWay.Users users) {
        Histogram latency = new ConcurrentHistogram(MOST_NANOS, 3);
        AtomicLong open = new AtomicLong();
        long start = System.nanoTime();
        long sent = 0;
        for (long now = start; now - start < nanos; now = System.nanoTime()) {
            long due = (long) ((now - start) * perSecond / 1e9);
            for (; sent < due; sent++) {
                long dueNanos = start + (long) (sent * 1e9 / perSecond);
                open.incrementAndGet();
                way.takeAsync(users.of(sent)).whenComplete((allowed, error) -> {
                    latency.recordValue(System.nanoTime() - dueNanos);
                    open.decrementAndGet();
                });
            }
            LockSupport.parkNanos(NAP_NANOS);
        }
        while (open.get() > 0) {
            LockSupport.parkNanos(NAP_NANOS);
        }
        return new Measurement(sent, System.nanoTime() - start, latency, "");
    }
}
