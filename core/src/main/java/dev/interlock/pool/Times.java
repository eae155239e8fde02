// SPDX-License-Identifier: Apache-2.0
package dev.interlock.pool;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/** Moments as the microseconds since 1970 that scripts count in. */
final class Times {
    /** Largest whole number that Lua counts exactly; as a time in microseconds it is the year 2255. */
    static final long MAX_EXACT = 1L << 53;

    private Times() {}

    static Instant instant(long micros) {
        return Instant.ofEpochSecond(micros / 1_000_000, micros % 1_000_000 * 1_000);
    }

    static long micros(@Nullable Instant time, long absent) {
        return time == null ? absent : time.getEpochSecond() * 1_000_000 + time.getNano() / 1_000;
    }
}
