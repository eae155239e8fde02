// SPDX-License-Identifier: Apache-2.0
package dev.interlock.internal;

import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * The rules for text that users choose: names of locks, pools and stock, user ids, request ids. All are refused here,
 * before any I/O, with a message that names the parameter, the rule and a shortened, escaped echo.
 */
public final class Names {
    /** Longest name, in bytes of UTF-8. */
    public static final int MAX_NAME_BYTES = 512;
    /** Longest request id, in bytes of UTF-8. */
    public static final int MAX_REQUEST_ID_BYTES = 128;
    /** Longest reason or note, in bytes of UTF-8. */
    public static final int MAX_NOTE_BYTES = 256;

    private static final int MAX_ECHO = 64;

    private Names() {}

    /**
     * Checks a name: 1 to 512 bytes of UTF-8, no control characters, no lone surrogates, no invisible or bidirectional
     * control characters, no blank at either end. It is taken literally and case-sensitive, without normalisation.
     *
     * @param parameter what the name is of, for the message
     * @param value the text
     * @return the text
     * @throws IllegalArgumentException if a rule is broken
     */
    public static String name(String parameter, String value) {
        return check(parameter, value, MAX_NAME_BYTES);
    }

    /**
     * Checks a request id: as a name, at most 128 bytes.
     *
     * @param value the text
     * @return the text
     * @throws IllegalArgumentException if a rule is broken
     */
    public static String requestId(String value) {
        return check("requestId", value, MAX_REQUEST_ID_BYTES);
    }

    /**
     * Checks the reason of an operator's change: as a name, at most 256 bytes.
     *
     * @param value the text
     * @return the text
     * @throws IllegalArgumentException if a rule is broken
     */
    public static String reason(String value) {
        return check("reason", value, MAX_NOTE_BYTES);
    }

    private static String check(String parameter, @Nullable String value, int maxBytes) {
        if (value == null) {
            throw new IllegalArgumentException(parameter + " must not be null");
        }
        int length = value.length();
        if (length == 0) {
            throw new IllegalArgumentException(parameter + " must not be empty");
        }
        int bytes = 0;
        for (int i = 0; i < length; i++) {
            char c = value.charAt(i);
            if (c > ' ' && c < 0x7F) {
                bytes++;
                continue;
            }
            if (Character.isHighSurrogate(c) && i + 1 < length && Character.isLowSurrogate(value.charAt(i + 1))) {
                if (Character.getType(value.codePointAt(i)) == Character.FORMAT) {
                    throw refused(parameter, "an invisible character beyond U+FFFF", value);
                }
                i++;
                bytes += 4;
                continue;
            }
            refuseUnusable(parameter, value, c);
            bytes += c < 0x80 ? 1 : c < 0x800 ? 2 : 3;
        }
        if (bytes > maxBytes) {
            throw new IllegalArgumentException(parameter + " must be at most " + maxBytes + " bytes of UTF-8 but has "
                    + bytes + ": " + echo(value));
        }
        if (isBlank(value.charAt(0)) || isBlank(value.charAt(length - 1))) {
            throw new IllegalArgumentException(
                    parameter + " must not begin or end with a blank (it is never trimmed): " + echo(value));
        }
        return value;
    }

    private static void refuseUnusable(String parameter, String value, char c) {
        if (Character.isSurrogate(c)) {
            throw refused(parameter, "a lone surrogate, which UTF-8 cannot carry", value);
        }
        if (Character.isISOControl(c)) {
            throw refused(parameter, "the control character " + codePoint(c), value);
        }
        if (Character.getType(c) == Character.FORMAT || c == '\u2028' || c == '\u2029') {
            throw refused(parameter, "the invisible or bidirectional character " + codePoint(c), value);
        }
    }

    private static IllegalArgumentException refused(String parameter, String what, String value) {
        return new IllegalArgumentException(parameter + " must not contain " + what + ": " + echo(value));
    }

    private static boolean isBlank(char c) {
        return Character.isWhitespace(c) || Character.isSpaceChar(c);
    }

    private static String codePoint(char c) {
        return String.format(Locale.ROOT, "U+%04X", (int) c);
    }

    /**
     * Text fit for a message: at most 64 characters, everything but plain letters, digits and signs escaped.
     *
     * @param value the text
     * @return the echo in quotes
     */
    public static String echo(String value) {
        StringBuilder out = new StringBuilder(MAX_ECHO + 16).append('"');
        int shown = Math.min(value.length(), MAX_ECHO);
        for (int i = 0; i < shown; i++) {
            char c = value.charAt(i);
            boolean plain = (c >= ' ' && c < 0x7F) || (c > 0xA0 && !Character.isSurrogate(c) && isVisible(c));
            out.append(plain ? String.valueOf(c) : String.format(Locale.ROOT, "\\u%04X", (int) c));
        }
        return out.append(value.length() > shown ? "…\"" : "\"").toString();
    }

    private static boolean isVisible(char c) {
        int type = Character.getType(c);
        return type != Character.FORMAT && type != Character.LINE_SEPARATOR && type != Character.PARAGRAPH_SEPARATOR;
    }
}
