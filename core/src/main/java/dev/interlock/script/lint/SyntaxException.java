// SPDX-License-Identifier: Apache-2.0
package dev.interlock.script.lint;

/** The source is not Lua 5.1. Caught in {@link ScriptLint}. */
final class SyntaxException extends RuntimeException {
    private static final long serialVersionUID = 1;

    private final int line;

    SyntaxException(int line, String what) {
        super(what);
        this.line = line;
    }

    int line() {
        return line;
    }
}
