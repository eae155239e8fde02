// SPDX-License-Identifier: Apache-2.0
package dev.interlock.script.lint;

import java.util.HashSet;
import java.util.Set;

/** L07 and L08: names that scripts should not touch. */
final class ScopeRules {
    /** Tables of the library: Redis refuses to change them. */
    private static final Set<String> LIBRARIES = Set.of(
            "bit", "cjson", "cmsgpack", "coroutine", "math", "os", "redis", "server", "string", "struct", "table");

    private static final Set<String> FUNCTIONS = Set.of(
            "KEYS",
            "ARGV",
            "_G",
            "_VERSION",
            "assert",
            "collectgarbage",
            "error",
            "gcinfo",
            "getmetatable",
            "ipairs",
            "load",
            "loadstring",
            "next",
            "pairs",
            "pcall",
            "rawequal",
            "rawget",
            "rawset",
            "select",
            "setmetatable",
            "tonumber",
            "tostring",
            "type",
            "unpack",
            "xpcall");

    private final Chunk chunk;
    private final Report report;
    private final Set<String> reported = new HashSet<>();

    ScopeRules(Chunk chunk, Report report) {
        this.chunk = chunk;
        this.report = report;
    }

    void check() {
        chunk.all(Stat.Assign.class)
                .flatMap(assign -> assign.targets().stream())
                .forEach(this::checkTarget);
        chunk.all(Expr.Name.class)
                .filter(name -> name.variable() == null)
                .filter(name -> !LIBRARIES.contains(name.name()) && !FUNCTIONS.contains(name.name()))
                .forEach(name -> global(name.name(), name.line()));
        chunk.all(Expr.Index.class)
                .filter(index -> chunk.isPath(index, "math.random") || chunk.isPath(index, "math.randomseed"))
                .forEach(index -> report.add(Rule.RANDOM, index.line(), String.valueOf(chunk.path(index))));
    }

    private void checkTarget(Expr target) {
        if (target instanceof Expr.Name name && name.variable() == null) {
            global(name.name(), target.line());
        }
        if (target instanceof Expr.Index index) {
            String base = chunk.path(index.base());
            if (base != null && (LIBRARIES.contains(base) || base.equals("_G"))) {
                global(base + "." + chunk.text(index.key()), target.line());
            }
        }
    }

    /** Once a name: to mend its first use mends the others. */
    private void global(String name, int line) {
        if (reported.add(name)) {
            report.add(Rule.GLOBAL, line, name + " is not declared");
        }
    }
}
