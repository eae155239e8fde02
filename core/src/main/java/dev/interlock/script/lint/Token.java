// SPDX-License-Identifier: Apache-2.0
package dev.interlock.script.lint;

/**
 * A word of a Lua source.
 *
 * @param text the word; of a string its content
 * @param line where it begins, from 1
 */
record Token(Kind kind, String text, int line) {
    /** What a word is. */
    enum Kind {
        NAME,
        KEYWORD,
        STRING,
        NUMBER,
        SYMBOL,
        END
    }

    boolean is(String word) {
        return (kind == Kind.KEYWORD || kind == Kind.SYMBOL) && text.equals(word);
    }
}
