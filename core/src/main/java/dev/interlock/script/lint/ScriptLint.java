// SPDX-License-Identifier: Apache-2.0
package dev.interlock.script.lint;

import java.util.List;

/**
 * Finds mistakes in Lua scripts for Redis that show up late or never: only with some data, only in a cluster, only under
 * load. {@link Rule} lists them.
 *
 * <p>It parses the script, so that text in strings and comments is never a finding, and follows values through locals,
 * tables and functions of the script. It does not run the script and does not prove it right: values that pass through
 * upvalues changed elsewhere, metatables, varargs or commands with a computed name are not followed, and what is not
 * known is not reported (but for loops and {@code unpack}, which must be seen to be bounded). {@link
 * ScriptAssert#runsWithDeclaredKeysOnly} finds by a run what reading cannot.
 */
public final class ScriptLint {
    private ScriptLint() {}

    /**
     * Checks one script. Does no I/O; takes some milliseconds.
     *
     * @param name name for the findings, usually the file's
     * @param source the whole source, from {@code #!lua} on
     * @return what was found, in the order of the lines; empty if nothing was
     */
    public static List<Finding> check(String name, String source) {
        Report report = new Report(name);
        HeaderRules.check(source, report);
        try {
            Chunk chunk = new Chunk(source);
            Values values = new Values(chunk);
            new ParameterRules(chunk, report).check();
            new ValueRules(chunk, values, report).check();
            new ScopeRules(chunk, report).check();
            new LoopRules(chunk, report).check();
            new CommandRules(chunk, values, report).check();
            new IdRules(chunk, values, report).check();
            new UnpackRules(chunk, report).check();
        } catch (SyntaxException e) {
            report.add(Rule.SYNTAX, e.line(), String.valueOf(e.getMessage()));
        }
        return report.findings();
    }
}
