// SPDX-License-Identifier: Apache-2.0
package dev.interlock.script;

import dev.interlock.internal.Text;
import java.util.Arrays;

/** The arguments of one script call, exactly as Redis gets them. Immutable. */
public final class ScriptArgs {
    private final byte[][] values;

    private ScriptArgs(byte[][] values) {
        this.values = values;
    }

    /**
     * Arguments: texts in UTF-8, whole numbers as their decimal digits, bytes as they are.
     *
     * @param args none or more of {@link String}, {@link Long}, {@link Integer} and {@code byte[]}
     * @return the arguments
     * @throws IllegalArgumentException if one is of another type; a {@code double} has no one decimal text
     */
    public static ScriptArgs args(Object... args) {
        return new ScriptArgs(Arrays.stream(args).map(ScriptArgs::encode).toArray(byte[][]::new));
    }

    private static byte[] encode(Object arg) {
        if (arg instanceof byte[] bytes) {
            return bytes.clone();
        }
        if (arg instanceof String || arg instanceof Long || arg instanceof Integer) {
            return Text.bytes(arg.toString());
        }
        throw new IllegalArgumentException("a script argument must be a String, Long, Integer or byte[] but is "
                + (arg == null ? "null" : arg.getClass().getName()));
    }

    byte[][] values() {
        return values;
    }
}
