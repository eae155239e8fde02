// SPDX-License-Identifier: Apache-2.0
package dev.interlock.script.lint;

import java.util.Set;

/** L05, L06 and L14: replies, arguments and numbers taken for what they are not. */
final class ValueRules {
    private static final Set<String> ORDER = Set.of("<", ">", "<=", ">=");
    private static final Set<String> EQUALITY = Set.of("==", "~=");

    private final Chunk chunk;
    private final Values values;
    private final Report report;

    ValueRules(Chunk chunk, Values values, Report report) {
        this.chunk = chunk;
        this.values = values;
        this.report = report;
    }

    void check() {
        // With RESP3 replies a missing value is nil indeed.
        boolean resp3 = chunk.all(Expr.Call.class).anyMatch(call -> "redis.setresp".equals(chunk.callee(call)));
        chunk.all(Expr.Binary.class).forEach(binary -> {
            checkConversion(binary);
            if (!resp3) {
                checkNil(binary);
            }
        });
        chunk.all(Expr.Call.class)
                .filter(call ->
                        "tostring".equals(chunk.callee(call)) && !call.args().isEmpty())
                .filter(call -> Kind.any(values.kinds(call.args().get(0)), Kind.NUMERIC))
                .forEach(call -> report.add(Rule.TOSTRING, call.line(), "tostring of a number"));
    }

    private void checkConversion(Expr.Binary binary) {
        Set<Kind> left = values.kinds(binary.left());
        Set<Kind> right = values.kinds(binary.right());
        boolean wrong = ORDER.contains(binary.operator()) && (isUnordered(left, right) || isUnordered(right, left));
        wrong |= EQUALITY.contains(binary.operator()) && (isUnequal(left, right) || isUnequal(right, left));
        if (wrong) {
            report.add(
                    Rule.UNCONVERTED,
                    binary.line(),
                    "an unconverted value is compared by \"" + binary.operator() + "\"");
        }
    }

    /** Whether one of them can be text from outside while the other is a number or such text as well. */
    private static boolean isUnordered(Set<Kind> text, Set<Kind> other) {
        return Kind.any(text, Kind.RAW) && (Kind.any(other, Kind.NUMERIC) || Kind.any(other, Kind.RAW));
    }

    /** Whether they can never be equal. "redis.call('GET', k) or 0" equals 0 if the key is missing. */
    private static boolean isUnequal(Set<Kind> text, Set<Kind> number) {
        return Kind.all(text, Kind.RAW) && Kind.all(number, Kind.NUMERIC);
    }

    private void checkNil(Expr.Binary binary) {
        if (!EQUALITY.contains(binary.operator())) {
            return;
        }
        boolean leftIsNil = isNil(binary.left());
        Expr other = leftIsNil ? binary.right() : binary.left();
        if ((leftIsNil || isNil(binary.right())) && Kind.all(values.kinds(other), Kind.NEVER_NIL)) {
            report.add(Rule.NIL_REPLY, binary.line(), "a reply is compared with nil");
        }
    }

    private static boolean isNil(Expr expr) {
        return expr instanceof Expr.Literal literal && literal.type() == Expr.Type.NIL;
    }
}
