// SPDX-License-Identifier: Apache-2.0
package dev.interlock.limit;

import dev.interlock.internal.Text;
import java.util.ArrayList;
import java.util.List;

/**
 * A limit as the scripts see it.
 *
 * @param limit the limit
 * @param kind its algorithm: the name in the scripts and the first letter of its key
 * @param numbers its three numbers
 * @param refillMicros until everything is back that was used at once
 */
record LimitSpec(Limit limit, char kind, List<Long> numbers, long refillMicros) {
    static final char GCRA = 'g';
    static final char LOG = 'w';
    static final char COUNTER = 'c';
    static final char FIXED = 'f';

    /** Of the moment that a state of GCRA begins with. */
    static final int MOMENT_DIGITS = 13;

    static LimitSpec of(Limit limit) {
        long period = limit.period().toNanos() / 1000;
        if (limit instanceof Limit.Gcra gcra) {
            long divisor = gcd(gcra.permits(), period);
            long n = gcra.permits() / divisor;
            long p = period / divisor;
            long refill = gcra.burst() * (p / n) + (gcra.burst() * (p % n) + n - 1) / n;
            return new LimitSpec(limit, GCRA, List.of(n, p, gcra.burst()), refill);
        }
        if (limit instanceof Limit.SlidingCounter counter) {
            long width = (period + counter.buckets() - 1) / counter.buckets();
            List<Long> numbers = List.of(limit.permits(), period, (long) counter.buckets());
            return new LimitSpec(limit, COUNTER, numbers, (counter.buckets() + 1) * width);
        }
        char kind = limit instanceof Limit.SlidingWindow ? LOG : FIXED;
        return new LimitSpec(limit, kind, List.of(limit.permits(), period, 0L), period);
    }

    /** Of GCRA: how many digits of a state after the moment are its rest. */
    int restDigits() {
        return numbers.get(0) > 1 ? Long.toHexString(numbers.get(0)).length() : 0;
    }

    private static long gcd(long a, long b) {
        return b == 0 ? a : gcd(b, a % b);
    }

    /** Of GCRA: how many units fit between a debt, in microseconds and n-ths of one, and a full burst. */
    long unitsLeft(long debtMicros, long debtRest) {
        long n = numbers.get(0);
        long p = numbers.get(1);
        long burst = numbers.get(2);
        long full = burst * (p % n);
        long rest = full % n - debtRest;
        long micros = burst * (p / n) + full / n - debtMicros - (rest < 0 ? 1 : 0);
        rest += rest < 0 ? n : 0;
        if (micros < 0) {
            return 0;
        }
        long units = Math.min(burst, (long) ((micros + (double) rest / n) / p * n) + 1);
        while (units > 0 && isLonger(units, micros, rest)) {
            units--;
        }
        return units;
    }

    private boolean isLonger(long units, long micros, long rest) {
        long n = numbers.get(0);
        long p = numbers.get(1);
        long rests = units * (p % n);
        long span = units * (p / n) + rests / n;
        return span > micros || (span == micros && rests % n > rest);
    }

    /** What a script call carries for this limit; numbers of GCRA in hexadecimal digits, as its states have them. */
    List<byte[]> args() {
        List<byte[]> args = new ArrayList<>();
        args.add(Text.bytes(String.valueOf(kind)));
        for (long number : numbers) {
            args.add(Text.bytes(kind == GCRA ? Long.toHexString(number) : Long.toString(number)));
        }
        return args;
    }

    /**
     * Until all is unused, after so many equal requests of a run were granted. For GCRA the times are the debt before the
     * run, in microseconds and n-ths of one; for the others the time as it was before the run and as it is after a
     * grant now. A log leaves the request itself out, if others are there.
     *
     * @param granted how many requests of the run, with this one if it was granted
     * @param units of each
     * @param denied whether this one was denied
     */
    long resetMicros(long first, long later, long granted, long units, boolean denied) {
        if (kind == GCRA) {
            long n = numbers.get(0);
            long p = numbers.get(1);
            long taken = granted * units;
            long rest = taken * (p % n) + later;
            return first + taken * (p / n) + (rest + n - 1) / n;
        }
        boolean before = denied ? granted == 0 : kind == LOG && granted == 1 && first > 0;
        return before ? first : later;
    }
}
