// SPDX-License-Identifier: Apache-2.0
package dev.interlock.benchmarks;

import org.HdrHistogram.Histogram;

/** One way of doing a job. */
interface Contender {
    /** What the table calls it. */
    String name();

    /** Does the job for about so long and measures it; called several times, in turn with the others. */
    Measurement run(long nanos) throws Exception;

    /**
     * One trial.
     *
     * @param operations how many were done
     * @param nanos in how long
     * @param latency of each, in nanoseconds; empty if it was not measured
     * @param remark what else was seen, for the table
     * @param otherJvmNanos processor time of other JVMs that worked for it
     */
    record Measurement(long operations, long nanos, Histogram latency, String remark, long otherJvmNanos) {
        Measurement(long operations, long nanos, Histogram latency, String remark) {
            this(operations, nanos, latency, remark, 0);
        }

        double perSecond() {
            return operations * 1e9 / nanos;
        }
    }
}
