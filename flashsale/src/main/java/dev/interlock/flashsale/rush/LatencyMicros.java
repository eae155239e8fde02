// SPDX-License-Identifier: Apache-2.0
package dev.interlock.flashsale.rush;

import org.HdrHistogram.Histogram;

/**
 * Times from call to answer, in microseconds.
 *
 * @param p50 half of the calls took no longer
 * @param p99 99 % of them
 * @param p999 99.9 % of them
 * @param max the longest
 */
record LatencyMicros(double p50, double p99, double p999, double max) {
    private static final double NANOS_PER_MICRO = 1_000;

    static LatencyMicros of(Histogram nanos) {
        return new LatencyMicros(
                nanos.getValueAtPercentile(50) / NANOS_PER_MICRO,
                nanos.getValueAtPercentile(99) / NANOS_PER_MICRO,
                nanos.getValueAtPercentile(99.9) / NANOS_PER_MICRO,
                nanos.getMaxValue() / NANOS_PER_MICRO);
    }
}
