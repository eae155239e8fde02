// SPDX-License-Identifier: Apache-2.0
package dev.interlock.flashsale.serve.web;

import java.time.DateTimeException;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.util.Locale;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Checks of what clients send. Each names the parameter and the rule, and refuses with {@link Problem#INVALID}. */
public final class Input {
    /** Longest name of a campaign, product or limit, in characters. */
    public static final int MAX_NAME = 128;
    /** Longest reason of an operator, in characters. */
    public static final int MAX_REASON = 200;
    /** Most units. */
    public static final long MAX_UNITS = 1_000_000_000_000L;

    /** Largest id. */
    public static final long MAX_ID = 999_999_999_999_999L;

    private static final int MAX_ECHO = 256;
    private static final Pattern ID = Pattern.compile("[1-9]\\d{0,14}");
    /** No leap second, no year of five digits, at most microseconds. */
    private static final Pattern TIME = Pattern.compile(
            "\\d{4}-\\d{2}-\\d{2}T\\d{2}:\\d{2}(:[0-5]\\d(\\.\\d{1,6})?)?(Z|[+-]\\d{2}:\\d{2})");

    private Input() {}

    /**
     * Reads an id from a path.
     *
     * @param text what stands there
     * @return 1 to 999,999,999,999,999
     */
    public static long id(String text) {
        if (!ID.matcher(text).matches()) {
            throw new RefusedException(Problem.INVALID, "an id is a whole number from 1 to 999999999999999");
        }
        return Long.parseLong(text);
    }

    /**
     * Checks a number.
     *
     * @param parameter its name
     * @param value the number, or null if it is missing
     * @param min smallest
     * @param max largest
     * @return the number
     */
    public static long range(String parameter, @Nullable Long value, long min, long max) {
        if (value == null || value < min || value > max) {
            throw new RefusedException(
                    Problem.INVALID, String.format(Locale.ROOT, "%s must be from %d to %d", parameter, min, max));
        }
        return value;
    }

    /**
     * Checks text for people: no control, invisible or unpaired characters, no blank at either end.
     *
     * @param parameter its name
     * @param value the text, or null if it is missing
     * @param maxLength most characters
     * @return the text
     */
    public static String text(String parameter, @Nullable String value, int maxLength) {
        if (value == null || value.isEmpty() || value.length() > maxLength) {
            throw new RefusedException(
                    Problem.INVALID,
                    String.format(Locale.ROOT, "%s must have 1 to %d characters", parameter, maxLength));
        }
        boolean trimmed = value.equals(value.strip());
        if (!trimmed || !value.codePoints().allMatch(Input::usable)) {
            throw new RefusedException(
                    Problem.INVALID,
                    parameter + " must not begin or end with a blank, nor hold control or invisible characters");
        }
        return value;
    }

    private static boolean usable(int c) {
        int type = Character.getType(c);
        return !Character.isISOControl(c)
                && type != Character.FORMAT
                && type != Character.SURROGATE
                && type != Character.LINE_SEPARATOR
                && type != Character.PARAGRAPH_SEPARATOR;
    }

    /**
     * Reads a time.
     *
     * @param parameter its name
     * @param text ISO 8601 with an offset, or null
     * @return the time, or null
     */
    public static @Nullable Instant time(String parameter, @Nullable String text) {
        if (text == null) {
            return null;
        }
        try {
            if (TIME.matcher(text).matches()) {
                return OffsetDateTime.parse(text).toInstant();
            }
        } catch (DateTimeException e) {
            // No such day or hour.
        }
        throw new RefusedException(
                Problem.INVALID, parameter + " must be a time like 2030-01-31T12:00:00Z, with an offset");
    }

    /**
     * What the library refused before it sent anything.
     *
     * @param rule its message, which names the parameter and the rule
     * @return the refusal
     */
    public static RefusedException refused(IllegalArgumentException rule) {
        String message = rule.getMessage() == null ? "a value breaks a rule" : rule.getMessage();
        return new RefusedException(
                Problem.INVALID, message.length() <= MAX_ECHO ? message : message.substring(0, MAX_ECHO));
    }
}
