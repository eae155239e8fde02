// SPDX-License-Identifier: Apache-2.0
package dev.interlock.script.lint;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Whether a loop is seen to end. It is if one of these holds:
 *
 * <ul>
 *   <li>its condition compares a counter with a limit, towards which the counter goes;
 *   <li>a counter that grows is the index of a table, {@code while ARGV[i] do};
 *   <li>its condition is the length of a table, {@code while #todo > 0 do}, from which the body removes with {@code
 *       table.remove};
 *   <li>an {@code if} of the body itself (not within another) has such a condition and leaves the loop, or the body ends
 *       with {@code break} or {@code return}.
 * </ul>
 *
 * With {@code and} and {@code or}, as many parts as it takes. A counter is a local to which a statement of the body
 * itself adds, or from which it subtracts, a number that is written in the script, and which is not changed otherwise. A
 * limit is made of numbers, {@code KEYS}, {@code ARGV}, lengths of tables and {@code math}, and does not change in the
 * loop. What Redis replied is no limit.
 */
final class LoopBound {
    private static final Map<String, String> NEGATED =
            Map.of("<", ">=", ">=", "<", ">", "<=", "<=", ">", "==", "~=", "~=", "==");
    private static final Map<String, String> MIRRORED =
            Map.of("<", ">", ">", "<", "<=", ">=", ">=", "<=", "==", "==", "~=", "~=");
    private static final int MAX_DEPTH = 20;

    private final Chunk chunk;
    private final Stat.Block body;
    private final List<Stat.Assign> assigns = new ArrayList<>();
    private final List<Expr.Call> calls = new ArrayList<>();

    LoopBound(Chunk chunk, Stat.Block body) {
        this.chunk = chunk;
        this.body = body;
        body.walk(node -> {
            if (node instanceof Stat.Assign assign) {
                assigns.add(assign);
            } else if (node instanceof Expr.Call call) {
                calls.add(call);
            }
        });
    }

    /** Whether the body is left from within, in the first round or by a bounded condition. */
    boolean isLeft() {
        return body.leaves()
                || body.stats().stream()
                        .anyMatch(stat -> stat instanceof Stat.If branches
                                && branches.blocks().get(0).leaves()
                                && becomes(branches.conditions().get(0), true));
    }

    /** Whether the condition takes this truth after a bounded number of rounds. */
    boolean becomes(Expr condition, boolean truth) {
        if (condition instanceof Expr.Literal literal) {
            return truth == (literal.type() != Expr.Type.NIL && !literal.text().equals("false"));
        }
        if (condition instanceof Expr.Unary unary) {
            return unary.operator().equals("not") && becomes(unary.operand(), !truth);
        }
        if (condition instanceof Expr.Index index) {
            return !truth && index.key() instanceof Expr.Name counter && step(counter) > 0 && isTable(index.base());
        }
        if (!(condition instanceof Expr.Binary binary)) {
            return false;
        }
        String operator = binary.operator();
        if (operator.equals("and") || operator.equals("or")) {
            boolean left = becomes(binary.left(), truth);
            boolean right = becomes(binary.right(), truth);
            return operator.equals("or") == truth ? left || right : left && right;
        }
        if (!NEGATED.containsKey(operator)) {
            return false;
        }
        String wanted = truth ? operator : NEGATED.getOrDefault(operator, operator);
        return reaches(binary.left(), wanted, binary.right())
                || reaches(binary.right(), MIRRORED.getOrDefault(wanted, wanted), binary.left());
    }

    /** Whether {@code left operator right} comes true because left goes there and right stays. */
    private boolean reaches(Expr left, String operator, Expr right) {
        double step = step(left);
        if (step == 0 || !isLimit(right, 0)) {
            return false;
        }
        return switch (operator) {
            case ">", ">=" -> step > 0;
            case "<", "<=" -> step < 0;
            case "==" -> Math.abs(step) == 1;
            default -> false;
        };
    }

    /** By how much a counter, a sum with one, or the length of a shrinking table changes each round; 0 if unknown. */
    private double step(Expr expr) {
        if (expr instanceof Expr.Binary sum
                && (sum.operator().equals("+") || sum.operator().equals("-"))) {
            return chunk.number(sum.right()) == null ? 0 : step(sum.left());
        }
        if (expr instanceof Expr.Unary length
                && length.operator().equals("#")
                && length.operand() instanceof Expr.Name table) {
            return !grows(table) && body.stats().stream().anyMatch(stat -> removes(stat, table)) ? -1 : 0;
        }
        if (!(expr instanceof Expr.Name counter) || counter.variable() == null) {
            return 0;
        }
        List<Stat.Assign> changes = assigns.stream()
                .filter(assign -> assignsTo(assign, counter.variable()))
                .toList();
        if (changes.size() != 1 || !body.stats().contains(changes.get(0))) {
            return 0;
        }
        return increment(changes.get(0), counter.variable());
    }

    private double increment(Stat.Assign assign, Variable counter) {
        if (assign.targets().size() != 1
                || !(assign.values().get(0) instanceof Expr.Binary sum)
                || !(sum.left() instanceof Expr.Name name)
                || name.variable() != counter) {
            return 0;
        }
        Double number = chunk.number(sum.right());
        return number == null
                ? 0
                : sum.operator().equals("+") ? number : sum.operator().equals("-") ? -number : 0;
    }

    private boolean removes(Stat stat, Expr.Name table) {
        List<Expr> values = stat instanceof Stat.Local local
                ? local.values()
                : stat instanceof Stat.Run run ? List.of(run.call()) : List.of();
        return values.stream()
                .anyMatch(value -> value instanceof Expr.Call call
                        && "table.remove".equals(chunk.callee(call))
                        && !call.args().isEmpty()
                        && isSame(call.args().get(0), table.variable()));
    }

    /** Whether the loop adds to a table. */
    private boolean grows(Expr.Name table) {
        boolean stored = assigns.stream()
                .flatMap(assign -> assign.targets().stream())
                .anyMatch(target -> target instanceof Expr.Index index && isSame(index.base(), table.variable()));
        return stored
                || assigns.stream().anyMatch(assign -> assignsTo(assign, table.variable()))
                || calls.stream()
                        .anyMatch(call -> "table.insert".equals(chunk.callee(call))
                                && !call.args().isEmpty()
                                && isSame(call.args().get(0), table.variable()));
    }

    private static boolean assignsTo(Stat.Assign assign, @Nullable Variable variable) {
        return assign.targets().stream().anyMatch(target -> isSame(target, variable));
    }

    private static boolean isSame(Expr expr, @Nullable Variable variable) {
        return variable != null && expr instanceof Expr.Name name && name.variable() == variable;
    }

    private boolean isTable(Expr expr) {
        return isArray(expr) || (expr instanceof Expr.Name name && name.variable() != null && !grows(name));
    }

    private boolean isArray(Expr expr) {
        return chunk.isPath(expr, "KEYS") || chunk.isPath(expr, "ARGV");
    }

    private boolean isLimit(Expr expr, int depth) {
        if (depth > MAX_DEPTH) {
            return false;
        }
        if (expr instanceof Expr.Literal literal) {
            return literal.type() == Expr.Type.NUMBER;
        }
        if (expr instanceof Expr.Name name) {
            Set<Expr> values = chunk.values(name);
            return assigns.stream().noneMatch(assign -> assignsTo(assign, name.variable()))
                    && !values.isEmpty()
                    && values.stream().allMatch(value -> isLimit(value, depth + 1));
        }
        if (expr instanceof Expr.Index index) {
            return isArray(index.base());
        }
        if (expr instanceof Expr.Unary unary) {
            return unary.operator().equals("#") ? isTable(unary.operand()) : isLimit(unary.operand(), depth + 1);
        }
        if (expr instanceof Expr.Binary binary) {
            return isLimit(binary.left(), depth + 1) && isLimit(binary.right(), depth + 1);
        }
        if (expr instanceof Expr.Parameter parameter) {
            List<Expr.Call> callers = chunk.callers(parameter.function());
            return !callers.isEmpty()
                    && callers.stream()
                            .allMatch(call ->
                                    isLimit(Flow.value(call.args(), parameter.position(), call.line()), depth + 1));
        }
        String callee = chunk.callee(expr);
        return callee != null
                && (callee.equals("tonumber") || callee.startsWith("math."))
                && expr instanceof Expr.Call call
                && call.args().stream().allMatch(arg -> isLimit(arg, depth + 1));
    }
}
