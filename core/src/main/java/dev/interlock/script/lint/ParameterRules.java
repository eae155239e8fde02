// SPDX-License-Identifier: Apache-2.0
package dev.interlock.script.lint;

import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/** L03 and L04: what the header says about {@code KEYS} and {@code ARGV}, and how the body uses them. */
final class ParameterRules {
    private final Chunk chunk;
    private final Report report;
    /** Names that are not passed on as a whole: {@code KEYS} in {@code KEYS[1]} and {@code #KEYS}. */
    private final Set<Expr> partial = Collections.newSetFromMap(new IdentityHashMap<>());

    ParameterRules(Chunk chunk, Report report) {
        this.chunk = chunk;
        this.report = report;
        chunk.all(Expr.Index.class).forEach(index -> partial.add(index.base()));
        chunk.all(Expr.Unary.class)
                .filter(unary -> unary.operator().equals("#"))
                .forEach(unary -> partial.add(unary.operand()));
    }

    void check() {
        List.of("KEYS", "ARGV").forEach(this::check);
    }

    private void check(String array) {
        Map<Integer, Integer> lineByNumber = new TreeMap<>();
        int[] anyLine = {0}; // where any element may be meant, 0 if nowhere
        chunk.all(Expr.Index.class)
                .filter(index -> chunk.isPath(index.base(), array))
                .forEach(index -> {
                    Double number = chunk.number(index.key());
                    if (number == null) {
                        anyLine[0] = anyLine[0] == 0 ? index.line() : anyLine[0];
                    } else if (number == 0) {
                        report.add(Rule.ZERO_INDEX, index.line(), array + "[0]");
                    } else {
                        lineByNumber.putIfAbsent(number.intValue(), index.line());
                    }
                });
        chunk.all(Expr.Name.class)
                .filter(name -> name.variable() == null && name.name().equals(array) && !partial.contains(name))
                .forEach(name -> anyLine[0] = anyLine[0] == 0 ? name.line() : anyLine[0]);
        boolean counted = chunk.all(Expr.Unary.class)
                .anyMatch(unary -> unary.operator().equals("#") && chunk.isPath(unary.operand(), array));
        checkEntries(array, lineByNumber.keySet(), anyLine[0] > 0, counted);
        lineByNumber.forEach((number, line) -> {
            if (chunk.signature().entry(array, number) == null) {
                report.add(Rule.PARAMETERS, line, array + "[" + number + "] is used but not described");
            }
        });
        boolean described = chunk.signature().entries().stream()
                .anyMatch(entry -> entry.array().equals(array));
        if (anyLine[0] > 0 && !described) {
            report.add(Rule.PARAMETERS, anyLine[0], array + " is used but not described");
        }
    }

    private void checkEntries(String array, Set<Integer> used, boolean any, boolean counted) {
        for (Signature.Entry entry : chunk.signature().entries()) {
            if (!entry.array().equals(array)) {
                continue;
            }
            String name = array + "[" + entry.first() + (entry.open() ? "..]" : "]");
            boolean isUsed =
                    any || (counted && entry.open()) || used.stream().anyMatch(number -> entry.covers(array, number));
            if (!isUsed) {
                report.add(Rule.PARAMETERS, entry.line(), name + " is described but never used");
            } else if (!entry.equals(chunk.signature().entry(array, entry.first()))) {
                report.add(Rule.PARAMETERS, entry.line(), name + " is described twice");
            }
        }
    }
}
