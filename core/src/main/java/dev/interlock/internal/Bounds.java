// SPDX-License-Identifier: Apache-2.0
package dev.interlock.internal;

import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** The ranges of numbers and times, checked before any I/O with a message that names the parameter and the range. */
public final class Bounds {
    /** Most units in one take or restock. */
    public static final long MAX_QUANTITY = 1_000_000;
    /** Most units in a stock or a pool. */
    public static final long MAX_TOTAL = 1_000_000_000_000L;
    /** Longest time that any setting accepts, unless it says less. */
    public static final Duration MAX_TIME = Duration.ofDays(366);

    private Bounds() {}

    /**
     * Checks a whole number.
     *
     * @param parameter its name, for the message
     * @param value the number
     * @param min smallest allowed
     * @param max largest allowed
     * @return the number
     * @throws IllegalArgumentException if it lies outside
     */
    public static long range(String parameter, long value, long min, long max) {
        if (value < min || value > max) {
            throw new IllegalArgumentException(parameter + " must be from " + min + " to " + max + " but is " + value);
        }
        return value;
    }

    /**
     * Checks a quantity of one call: 1 to 1,000,000.
     *
     * @param value the quantity
     * @return the quantity
     * @throws IllegalArgumentException if it lies outside
     */
    public static long quantity(long value) {
        return range("quantity", value, 1, MAX_QUANTITY);
    }

    /**
     * Checks a duration and gives it in milliseconds; parts below a millisecond are refused rather than rounded.
     *
     * @param parameter its name, for the message
     * @param value the duration
     * @param min shortest allowed
     * @param max longest allowed
     * @return milliseconds
     * @throws IllegalArgumentException if it lies outside or is not whole milliseconds
     */
    public static long millis(String parameter, @Nullable Duration value, Duration min, Duration max) {
        if (value == null) {
            throw new IllegalArgumentException(parameter + " must not be null");
        }
        if (value.compareTo(min) < 0 || value.compareTo(max) > 0) {
            throw new IllegalArgumentException(parameter + " must be from " + min + " to " + max + " but is " + value);
        }
        if (!value.equals(Duration.ofMillis(value.toMillis()))) {
            throw new IllegalArgumentException(parameter + " must be whole milliseconds but is " + value);
        }
        return value.toMillis();
    }
}
