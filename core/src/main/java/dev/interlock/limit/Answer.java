// SPDX-License-Identifier: Apache-2.0
package dev.interlock.limit;

import java.util.HexFormat;

/** Reads whole numbers that are separated by blanks. Not thread-safe. */
final class Answer {
    private final byte[] text;
    private int at;

    Answer(byte[] text) {
        this.text = text;
    }

    /** Sixteen-based digits up to the next blank or so many of them; 0 if there are none. */
    long hex(int most) {
        long value = 0;
        for (int end = Math.min(text.length, at + most); at < end && text[at] != ' '; at++) {
            value = value << 4 | HexFormat.fromHexDigit(text[at]);
        }
        return value;
    }

    /** Leaves the rest of a word alone. */
    void skip() {
        while (at < text.length && text[at] != ' ') {
            at++;
        }
        at++;
    }

    long next() {
        boolean negative = text[at] == '-';
        if (negative) {
            at++;
        }
        long value = 0;
        int digits = 0;
        for (; at < text.length && text[at] != ' '; at++) {
            int digit = text[at] - '0';
            if (digit < 0 || digit > 9 || ++digits > 18) {
                throw new IllegalStateException("a script of limiters answered something else than whole numbers");
            }
            value = value * 10 + digit;
        }
        at++;
        return negative ? -value : value;
    }
}
