// SPDX-License-Identifier: Apache-2.0
package dev.interlock.pool;

import dev.interlock.internal.Bounds;
import dev.interlock.internal.Names;

/**
 * A repair of the number of units left, made only if what it is based on still holds.
 *
 * @param epoch life of the pool that was looked at, at least 1
 * @param basedOn sequence at which the difference was found, at least 0; the repair is refused if another adjustment was
 *     made after it. Ordinary events after it do not matter: they change both sides alike
 * @param delta units to add, or to take if negative; not 0
 * @param reason why, 1 to 256 bytes of UTF-8, kept with the event
 */
public record Adjustment(long epoch, long basedOn, long delta, String reason) {
    /**
     * Checks every part.
     *
     * @throws IllegalArgumentException if one lies outside its range
     */
    public Adjustment {
        Bounds.range("epoch", epoch, 1, Long.MAX_VALUE);
        Bounds.range("basedOn", basedOn, 0, Long.MAX_VALUE);
        Bounds.range("delta", delta, -Bounds.MAX_TOTAL, Bounds.MAX_TOTAL);
        if (delta == 0) {
            throw new IllegalArgumentException("delta must not be 0: there is nothing to adjust");
        }
        Names.reason(reason);
    }
}
