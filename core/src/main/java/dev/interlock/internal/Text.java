// SPDX-License-Identifier: Apache-2.0
package dev.interlock.internal;

import java.nio.charset.StandardCharsets;
import java.security.SecureRandom;
import java.util.HexFormat;

/** Text and numbers as the bytes that Redis stores. */
public final class Text {
    private static final SecureRandom RANDOM = new SecureRandom();
    private static final int TOKEN_BYTES = 16;

    private Text() {}

    /**
     * UTF-8.
     *
     * @param text checked by {@link Names}
     * @return its bytes
     */
    public static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    /**
     * Decimal digits.
     *
     * @param number any number
     * @return its bytes
     */
    public static byte[] bytes(long number) {
        return Long.toString(number).getBytes(StandardCharsets.ISO_8859_1);
    }

    /**
     * A token that nobody guesses and no other call has: 128 random bits.
     *
     * @return 32 hex digits
     */
    public static byte[] token() {
        byte[] random = new byte[TOKEN_BYTES];
        RANDOM.nextBytes(random);
        return bytes(HexFormat.of().formatHex(random));
    }
}
