// SPDX-License-Identifier: Apache-2.0
package dev.interlock;

/**
 * A script ended with an error: its own {@code error_reply}, a failed {@code redis.call}, or a Lua fault. It ran once and
 * is not run again. Redis does not roll back: what the script wrote before the error stays.
 */
public final class ScriptException extends InterlockException {
    private static final long serialVersionUID = 1L;

    private final String script;
    private final String code;
    private final int line;

    /**
     * Creates the exception.
     *
     * @param script name of the script
     * @param line line of its source the error points at, 0 if Redis named none
     * @param message the error text of Redis, without the code
     * @param cause the answer of Redis
     */
    public ScriptException(String script, int line, String message, Throwable cause) {
        super("script " + script + (line > 0 ? ", line " + line : "") + ": " + message, cause);
        this.script = script;
        this.code = firstWord(message);
        this.line = line;
    }

    /**
     * Name of the script that failed.
     *
     * @return the name
     */
    public String script() {
        return script;
    }

    /**
     * Error code: the first word of the error text, for example {@code WRONGTYPE} or {@code ERR}.
     *
     * @return the code
     */
    public String code() {
        return code;
    }

    /**
     * Line of the script's source that the error points at.
     *
     * @return 1 or more; 0 if Redis named none
     */
    public int line() {
        return line;
    }

    private static String firstWord(String message) {
        int end = message.indexOf(' ');
        return end < 0 ? message : message.substring(0, end);
    }
}
