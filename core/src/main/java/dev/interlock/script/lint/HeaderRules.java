// SPDX-License-Identifier: Apache-2.0
package dev.interlock.script.lint;

import dev.interlock.internal.ScriptHeader;
import java.util.Set;
import java.util.TreeSet;

/** L01 and L02: the head of the file. Work on files that are not Lua, too. */
final class HeaderRules {
    private static final String SHEBANG = "#!lua";
    private static final Set<String> FLAGS =
            Set.of("no-writes", "allow-oom", "allow-stale", "no-cluster", "allow-cross-slot-keys");

    private HeaderRules() {}

    static void check(String source, Report report) {
        String first = source.lines().findFirst().orElse("");
        boolean hasShebang = first.startsWith("#!");
        String rest = hasShebang ? source.substring(first.length()).stripLeading() : source;
        try {
            Set<String> unknown = new TreeSet<>(ScriptHeader.parse("", first + "\n-- x\n-- Returns x\n-- Cost x\n")
                    .flags());
            unknown.removeAll(FLAGS);
            if (!unknown.isEmpty()) {
                report.add(Rule.SHEBANG, 1, "Redis does not know the flags " + unknown);
            }
        } catch (IllegalArgumentException e) {
            report.add(Rule.SHEBANG, 1, "the first line is not \"#!lua\" or \"#!lua flags=…\"");
        }
        try {
            ScriptHeader.parse("", SHEBANG + "\n" + rest);
        } catch (IllegalArgumentException e) {
            String message = String.valueOf(e.getMessage());
            report.add(Rule.HEADER, hasShebang ? 2 : 1, message.substring(message.indexOf(": ") + 2));
        }
    }
}
