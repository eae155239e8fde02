// SPDX-License-Identifier: Apache-2.0
package dev.interlock.internal;

import dev.interlock.Codec;
import dev.interlock.CorruptStateException;
import org.jspecify.annotations.Nullable;

/**
 * A user's codec with a limit of size, whose failures tell the user where they come from.
 *
 * @param what what holds the values, for messages, for example {@code value "theme"}
 * @param codec the user's codec
 * @param maxBytes most bytes of an encoded value
 * @param <T> type of the value
 */
public record BoundedCodec<T>(String what, Codec<T> codec, int maxBytes) {
    /**
     * Encodes a value.
     *
     * @param parameter its name, for the message
     * @param value the value
     * @return its bytes
     * @throws IllegalArgumentException if it is null, too long, or refused by the codec
     */
    public byte[] encode(String parameter, @Nullable T value) {
        if (value == null) {
            throw new IllegalArgumentException(what + ": " + parameter + " must not be null");
        }
        byte[] bytes = codec.encode(value);
        if (bytes.length > maxBytes) {
            throw new IllegalArgumentException(what + ": " + parameter + " must be at most " + maxBytes
                    + " bytes when encoded but has " + bytes.length);
        }
        return bytes;
    }

    /**
     * Decodes a value.
     *
     * @param bytes its bytes
     * @return the value
     * @throws CorruptStateException if the codec refuses them
     */
    public T decode(byte[] bytes) {
        try {
            return codec.decode(bytes);
        } catch (RuntimeException e) {
            throw new CorruptStateException(
                    what + " holds bytes that its codec cannot read: see which other program writes to it", e);
        }
    }
}
