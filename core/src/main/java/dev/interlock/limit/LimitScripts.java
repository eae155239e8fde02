// SPDX-License-Identifier: Apache-2.0
package dev.interlock.limit;

import dev.interlock.internal.LuaScript;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedSet;
import java.util.TreeSet;

/**
 * The scripts of a limiter, put together from the parts of the algorithms that it uses, so that one call can judge limits
 * of several algorithms and none pays for those it does not use.
 *
 * @param take decides and takes
 * @param peek decides only
 * @param refund gives back
 * @param reset forgets
 */
record LimitScripts(LuaScript take, LuaScript peek, LuaScript refund, LuaScript reset) {
    private static final Map<Character, List<String>> PARTS = Map.of(
            LimitSpec.GCRA, List.of("gcra_time", "gcra", "gcra_write", "gcra_quick"),
            LimitSpec.LOG, List.of("log", "log_write"),
            LimitSpec.COUNTER, List.of("counter", "counter_write"),
            LimitSpec.FIXED, List.of("fixed"));
    private static final Map<Character, String> TABLES = Map.of(
            LimitSpec.GCRA, "gcra",
            LimitSpec.LOG, "log",
            LimitSpec.COUNTER, "counter",
            LimitSpec.FIXED, "fixed");

    static LimitScripts of(List<LimitSpec> specs) {
        TreeSet<Character> kinds = new TreeSet<>();
        specs.forEach(spec -> kinds.add(spec.kind()));
        return of(kinds);
    }

    private static LimitScripts of(SortedSet<Character> kinds) {
        StringBuilder suffix = new StringBuilder();
        StringBuilder algorithms = new StringBuilder();
        StringBuilder refunds = new StringBuilder();
        StringBuilder table = new StringBuilder();
        for (Character kind : kinds) {
            String name = String.valueOf(TABLES.get(kind));
            suffix.append(suffix.isEmpty() ? "" : "+").append(name);
            table.append(table.isEmpty() ? "" : ", ").append(kind).append(" = ").append(name);
            PARTS.getOrDefault(kind, List.of()).forEach(part -> algorithms.append(body(part)));
            refunds.append(body(name + "_refund"));
        }
        String all = "local algorithms = {" + table + "}\n" + body("all");
        String prelude = algorithms + all;
        return new LimitScripts(
                own("take").with(suffix.toString(), prelude + body("decide")),
                own("peek").with(suffix.toString(), prelude),
                own("refund").with(suffix.toString(), algorithms.toString() + refunds + all),
                own("reset"));
    }

    /** The scripts for every set of algorithms. */
    static List<LuaScript> all() {
        List<Character> kinds = List.copyOf(new TreeSet<>(TABLES.keySet()));
        Set<LuaScript> all = new LinkedHashSet<>();
        for (int bits = 1; bits < 1 << kinds.size(); bits++) {
            TreeSet<Character> set = new TreeSet<>();
            for (int i = 0; i < kinds.size(); i++) {
                if ((bits >> i & 1) == 1) {
                    set.add(kinds.get(i));
                }
            }
            LimitScripts scripts = of(set);
            all.addAll(List.of(scripts.take(), scripts.peek(), scripts.refund(), scripts.reset()));
        }
        return List.copyOf(all);
    }

    private static String body(String part) {
        return own(part).body();
    }

    private static LuaScript own(String verb) {
        return LuaScript.own(LimitScripts.class, verb);
    }
}
