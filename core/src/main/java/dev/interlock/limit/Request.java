// SPDX-License-Identifier: Apache-2.0
package dev.interlock.limit;

import dev.interlock.internal.Bounds;
import dev.interlock.internal.Names;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * One checked request.
 *
 * @param key whose
 * @param units how many, 1 to 10^12
 * @param patienceMicros longest wait it accepts
 * @param startNanos when it was made
 */
record Request(String key, long units, long patienceMicros, long startNanos) {
    private static final Duration MAX_WAIT = Duration.ofDays(1);

    /** Whether the next request can be decided in one step with this one, as it follows it. */
    boolean isLike(Request next) {
        return units == next.units && patienceMicros == 0 && next.patienceMicros == 0 && key.equals(next.key);
    }

    static void check(String key, long units) {
        Names.name("key", key);
        Bounds.range("weight", units, 1, Limit.MAX_PERMITS);
    }

    static long patience(@Nullable Duration maxWait) {
        if (maxWait == null) {
            throw new IllegalArgumentException("maxWait must not be null");
        }
        if (maxWait.isNegative() || maxWait.compareTo(MAX_WAIT) > 0) {
            throw new IllegalArgumentException("maxWait must be from PT0S to " + MAX_WAIT + " but is " + maxWait);
        }
        return maxWait.toNanos() / 1000;
    }
}
