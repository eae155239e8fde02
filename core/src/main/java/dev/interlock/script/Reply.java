// SPDX-License-Identifier: Apache-2.0
package dev.interlock.script;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * What a script answers, as a Java type. No application serialiser is involved: bytes in, bytes out.
 *
 * @param <T> the Java type
 */
@FunctionalInterface
public interface Reply<T> {
    /**
     * Decodes what Redis sent: {@code byte[]}, {@link Long}, {@link Double}, {@link Boolean}, null, or a {@link List} of
     * these.
     *
     * @param raw what was sent
     * @return the value
     * @throws IllegalArgumentException if the script answered something else than promised
     */
    T decode(@Nullable Object raw);

    /**
     * A whole number.
     *
     * @return the decoder
     */
    static Reply<Long> integer() {
        return raw -> {
            if (raw instanceof Long number) {
                return number;
            }
            throw unexpected("an integer", raw);
        };
    }

    /**
     * A text in UTF-8.
     *
     * @return the decoder
     */
    static Reply<String> string() {
        return raw -> text(bytes().decode(raw));
    }

    /**
     * A text in UTF-8 that may be missing; a script's {@code false} or {@code nil} is a missing one.
     *
     * @return the decoder
     */
    static Reply<Optional<String>> optionalString() {
        return raw -> raw == null ? Optional.empty() : Optional.of(string().decode(raw));
    }

    /**
     * Bytes as they are.
     *
     * @return the decoder
     */
    static Reply<byte[]> bytes() {
        return raw -> {
            if (raw instanceof byte[] bytes) {
                return bytes;
            }
            throw unexpected("a string", raw);
        };
    }

    /**
     * An array whose values all decode alike.
     *
     * @param value decodes one of them
     * @param <T> type of the values
     * @return the decoder
     */
    static <T> Reply<List<T>> list(Reply<T> value) {
        return raw -> {
            if (!(raw instanceof List<?> values)) {
                throw unexpected("an array", raw);
            }
            List<T> decoded = new ArrayList<>(values.size());
            values.forEach(each -> decoded.add(value.decode(each)));
            return decoded;
        };
    }

    private static String text(byte[] bytes) {
        return new String(bytes, StandardCharsets.UTF_8);
    }

    private static IllegalArgumentException unexpected(String promised, @Nullable Object raw) {
        String got = raw == null
                ? "nothing"
                : raw instanceof byte[] bytes
                        ? "a string of " + bytes.length + " bytes"
                        : raw instanceof List<?> list
                                ? "an array of " + list.size()
                                : raw.getClass().getSimpleName();
        return new IllegalArgumentException("the script was to answer " + promised + " but answered " + got);
    }
}
