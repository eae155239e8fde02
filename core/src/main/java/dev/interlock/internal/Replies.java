// SPDX-License-Identifier: Apache-2.0
package dev.interlock.internal;

import java.nio.charset.StandardCharsets;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The reply of one of Interlock's own scripts: an array of a status and values. A value that is not what the script's
 * header promises is a fault of Interlock and ends in {@link IllegalStateException}.
 */
public final class Replies {
    private final LuaScript script;
    private final List<?> values;

    private Replies(LuaScript script, List<?> values) {
        this.script = script;
        this.values = values;
    }

    /**
     * Takes a reply.
     *
     * @param script which script answered
     * @param reply its answer
     * @return the reply to read from
     */
    public static Replies of(LuaScript script, @Nullable Object reply) {
        if (reply instanceof List<?> list && !list.isEmpty()) {
            return new Replies(script, list);
        }
        throw new IllegalStateException("script " + script.name() + " answered no array");
    }

    /**
     * The status, which is the first value.
     *
     * @return the status
     */
    public int status() {
        return (int) number(0);
    }

    /**
     * A whole number, answered as an integer or as its decimal text.
     *
     * @param index position in the array, from 0
     * @return the number
     */
    public long number(int index) {
        Object value = values.get(index);
        if (value instanceof Long number) {
            return number;
        }
        return Long.parseLong(text(index));
    }

    /**
     * A text.
     *
     * @param index position in the array, from 0
     * @return the text
     */
    public String text(int index) {
        return new String(bytes(index), StandardCharsets.UTF_8);
    }

    /**
     * A byte string.
     *
     * @param index position in the array, from 0
     * @return the bytes
     */
    public byte[] bytes(int index) {
        if (values.get(index) instanceof byte[] bytes) {
            return bytes;
        }
        throw new IllegalStateException("script " + script.name() + " answered no text at position " + index);
    }

    /**
     * How many values there are.
     *
     * @return the count, with the status
     */
    public int size() {
        return values.size();
    }

    /**
     * For the last branch of a switch over {@link #status()}.
     *
     * @return the failure to throw
     */
    public IllegalStateException unexpected() {
        return new IllegalStateException("script " + script.name() + " answered the unknown status " + status());
    }
}
