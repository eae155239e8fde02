// SPDX-License-Identifier: Apache-2.0
package dev.interlock.lock;

import dev.interlock.internal.Bounds;
import org.jspecify.annotations.Nullable;

/** Fences outside of a lock: their range, how they travel over HTTP, how a script of your own checks them. */
public final class Fences {
    /** Largest fence, 2^53 − 1: exact in every language that knows only floating-point numbers. */
    public static final long MAX = (1L << 53) - 1;

    /** HTTP header that carries the fence of the caller's lease to the resource, as decimal digits. */
    public static final String HEADER = "Interlock-Fence";

    /**
     * A check for Lua scripts of your own, as a local function to put before the body: {@code fence_admits(key, fence)} notes
     * the fence (text of a whole number) in the key and returns true, or returns false if a larger one was noted before or
     * the key holds something else; then nothing was changed and the script must not write. The key belongs in {@code KEYS},
     * in the slot of the data. One read and one write.
     */
    public static final String LUA_CHECK = """
            local function fence_admits(key, fence)
              local last = redis.call('GET', key) or '0'
              local valid = string.match(last, '^%d+$') and string.match(fence, '^%d+$') and #last <= 16 and #fence <= 16
              if not valid or tonumber(last) > tonumber(fence) or tonumber(fence) < 1 then
                return false
              end
              redis.call('SET', key, fence)
              return true
            end
            """;

    private static final int MAX_DIGITS = 16;

    private Fences() {}

    /**
     * Checks a fence.
     *
     * @param fence the number
     * @return the number
     * @throws IllegalArgumentException if it is none that a lease could have
     */
    public static long check(long fence) {
        return Bounds.range("fence", fence, 1, MAX);
    }

    /**
     * Reads a {@linkplain #HEADER header}, strictly: digits only, without sign, blank or leading zero.
     *
     * @param header its value, or null if there is none
     * @return the fence
     * @throws IllegalArgumentException if it is missing or no fence: answer 400
     */
    public static long parse(@Nullable String header) {
        if (header == null) {
            throw new IllegalArgumentException("the header " + HEADER + " is missing");
        }
        boolean digits = !header.isEmpty()
                && header.length() <= MAX_DIGITS
                && header.charAt(0) != '0'
                && header.chars().allMatch(c -> c >= '0' && c <= '9');
        if (!digits || Long.parseLong(header) > MAX) {
            throw new IllegalArgumentException(
                    "the header " + HEADER + " must be a whole number from 1 to " + MAX + " in decimal digits");
        }
        return Long.parseLong(header);
    }

    /**
     * Writes a header.
     *
     * @param fence of the caller's lease
     * @return its value
     * @throws IllegalArgumentException if it is none that a lease could have
     */
    public static String header(long fence) {
        return Long.toString(check(fence));
    }
}
