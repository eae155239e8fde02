// SPDX-License-Identifier: Apache-2.0
package dev.interlock.script.lint;

/**
 * One mistake in a script.
 *
 * @param script name of the script, as given to {@link ScriptLint#check}
 * @param line line in the file, from 1
 * @param rule the rule that is broken
 * @param why what is wrong there and what comes of it, one sentence
 * @param mend what to write instead, one sentence
 */
public record Finding(String script, int line, Rule rule, String why, String mend) {
    /** {@return one line for a terminal, such as {@code take.lua:7: L08 math.random: … Mend: …}} */
    @Override
    public String toString() {
        return script + ":" + line + ": " + rule.code() + " " + why + " Mend: " + mend;
    }
}
