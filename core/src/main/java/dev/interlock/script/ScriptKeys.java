// SPDX-License-Identifier: Apache-2.0
package dev.interlock.script;

import dev.interlock.internal.Text;
import java.util.Arrays;

/** The keys of one script call, exactly as Redis gets them: no prefix, no escaping. Immutable. */
public final class ScriptKeys {
    private final byte[][] values;

    private ScriptKeys(byte[][] values) {
        this.values = values;
    }

    /**
     * Keys in UTF-8.
     *
     * @param keys one or more, all of one cluster slot
     * @return the keys
     */
    public static ScriptKeys keys(String... keys) {
        return new ScriptKeys(Arrays.stream(keys).map(Text::bytes).toArray(byte[][]::new));
    }

    /**
     * Keys of any bytes.
     *
     * @param keys one or more, all of one cluster slot
     * @return the keys
     */
    public static ScriptKeys keys(byte[]... keys) {
        return new ScriptKeys(Arrays.stream(keys).map(byte[]::clone).toArray(byte[][]::new));
    }

    byte[][] values() {
        return values;
    }
}
