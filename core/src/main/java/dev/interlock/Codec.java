// SPDX-License-Identifier: Apache-2.0
package dev.interlock;

import java.nio.ByteBuffer;
import java.nio.CharBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;

/**
 * How a value becomes the bytes that Redis stores, and back.
 *
 * <p>Must be thread-safe, keep no reference to an array, and always give the same bytes for equal values: they are compared
 * as bytes. It is called on I/O threads, so it must not block.
 *
 * @param <T> type of the value
 */
public interface Codec<T> {
    /**
     * Encodes a value.
     *
     * @param value the value
     * @return its bytes
     * @throws IllegalArgumentException if the value has no such form
     */
    byte[] encode(T value);

    /**
     * Decodes a value. What it throws reaches the caller as the cause of a {@link CorruptStateException}.
     *
     * @param bytes what {@link #encode(Object)} gave, or what another program wrote
     * @return the value
     * @throws IllegalArgumentException if the bytes are no such value
     */
    T decode(byte[] bytes);

    /**
     * Text as UTF-8, strictly: what UTF-8 cannot carry is refused rather than replaced, in both directions.
     *
     * @return the codec
     */
    static Codec<String> utf8() {
        return new Codec<>() {
            @Override
            public byte[] encode(String value) {
                try {
                    ByteBuffer bytes = StandardCharsets.UTF_8.newEncoder().encode(CharBuffer.wrap(value));
                    byte[] copy = new byte[bytes.remaining()];
                    bytes.get(copy);
                    return copy;
                } catch (CharacterCodingException e) {
                    throw new IllegalArgumentException(
                            "a text must not hold a lone surrogate: UTF-8 cannot carry it", e);
                }
            }

            @Override
            public String decode(byte[] bytes) {
                try {
                    return StandardCharsets.UTF_8
                            .newDecoder()
                            .decode(ByteBuffer.wrap(bytes))
                            .toString();
                } catch (CharacterCodingException e) {
                    throw new IllegalArgumentException("the bytes are not UTF-8", e);
                }
            }
        };
    }

    /**
     * Bytes as they are.
     *
     * @return the codec; it copies
     */
    static Codec<byte[]> bytes() {
        return new Codec<>() {
            @Override
            public byte[] encode(byte[] value) {
                return value.clone();
            }

            @Override
            public byte[] decode(byte[] bytes) {
                return bytes.clone();
            }
        };
    }
}
