// SPDX-License-Identifier: Apache-2.0
package dev.interlock.limit;

/** Reads whole numbers that are separated by blanks. Not thread-safe. */
final class Answer {
    private final byte[] text;
    private int at;

    Answer(byte[] text) {
        this.text = text;
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
