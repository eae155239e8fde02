// SPDX-License-Identifier: Apache-2.0
package dev.interlock.spring.limit;

import dev.interlock.limit.Limit;
import java.time.Duration;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.springframework.boot.convert.DurationStyle;

/**
 * Reads a limit: {@code 100/1m} is 100 units in a minute, {@code 10/1s burst 20} a token bucket of 20 that gets 10 back each
 * second. The period is a duration as Spring Boot writes it: {@code 500ms}, {@code 1s}, {@code 5m}, {@code 1h}, {@code 1d}
 * or {@code PT1M}.
 */
public final class LimitText {
    private static final int MAX_LENGTH = 64;
    private static final Pattern FORM =
            Pattern.compile("([1-9][0-9]{0,12})/([0-9A-Za-z.+-]+)(?: burst ([1-9][0-9]{0,12}))?");

    private LimitText() {}

    /**
     * Reads one.
     *
     * @param text as above
     * @param algorithm how it is counted; only {@link Algorithm#GCRA} takes a burst
     * @return the limit
     * @throws IllegalArgumentException if the text has another form, or the limit would lie outside its ranges
     */
    public static Limit parse(String text, Algorithm algorithm) {
        Matcher form = FORM.matcher(text);
        if (text.length() > MAX_LENGTH || !form.matches()) {
            throw new IllegalArgumentException(
                    "a limit is written like 100/1m, or 10/1s burst 20 for GCRA; this is not: " + shown(text));
        }
        long permits = Long.parseLong(form.group(1));
        Duration period = period(form.group(2), text);
        String burst = form.group(3);
        if (burst != null && algorithm != Algorithm.GCRA) {
            throw new IllegalArgumentException("only GCRA has a burst: " + shown(text));
        }
        return switch (algorithm) {
            case SLIDING_WINDOW -> Limit.slidingWindow(permits, period);
            case SLIDING_COUNTER -> Limit.slidingCounter(permits, period);
            case FIXED_WINDOW -> Limit.fixedWindow(permits, period);
            case GCRA -> {
                Limit.Gcra gcra = Limit.gcra(permits, period);
                yield burst == null ? gcra : gcra.burst(Long.parseLong(burst));
            }
        };
    }

    private static Duration period(String period, String text) {
        try {
            return DurationStyle.detectAndParse(period);
        } catch (IllegalArgumentException | ArithmeticException e) {
            throw new IllegalArgumentException("the period of the limit is no duration like 1m: " + shown(text), e);
        }
    }

    private static String shown(String text) {
        String start = text.length() > MAX_LENGTH ? text.substring(0, MAX_LENGTH) + "…" : text;
        return '"' + start.replaceAll("[^\\x20-\\x7E…]", "?") + '"';
    }
}
