// SPDX-License-Identifier: Apache-2.0
package dev.interlock.script.lint;

import java.util.ArrayList;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * L13: {@code unpack} without an end. {@code unpack(t, i, j)} is left alone. {@code unpack(t)} is right if t is a bounded
 * batch:
 *
 * <ul>
 *   <li>{@code KEYS} or {@code ARGV}, unless the header describes a variable number of them without "at most N", N ≤
 *       {@value #LIMIT};
 *   <li>a table of the script that is filled outside of loops, or in loops each of which is bounded: {@code for i = a, b}
 *       where b is a number, an argument with such a maximum, or the length of a bounded batch, and {@code for … in
 *       ipairs(batch)};
 *   <li>the reply to MGET or HMGET, which was as long as its own arguments; to a command with a count that is bounded in
 *       the same way: LRANGE, LPOP, RPOP, SPOP, ZPOPMIN, ZPOPMAX, SRANDMEMBER, or one with LIMIT or COUNT.
 * </ul>
 */
final class UnpackRules {
    /** Lua refuses about 8,000 at once (LUAI_MAXCSTACK); a command takes some itself. */
    private static final int LIMIT = 7_000;

    private static final int MAX_DEPTH = 20;
    private static final Set<String> COUNT_IS_LAST =
            Set.of("LRANGE", "LPOP", "RPOP", "SPOP", "ZPOPMIN", "ZPOPMAX", "SRANDMEMBER");

    private final Chunk chunk;
    private final Report report;
    /** The loops around each part, inner ones first. */
    private final IdentityHashMap<Node, List<Stat>> loops = new IdentityHashMap<>();

    UnpackRules(Chunk chunk, Report report) {
        this.chunk = chunk;
        this.report = report;
        chunk.all(Stat.class)
                .filter(UnpackRules::isLoop)
                .forEach(loop -> loop.walk(inner -> {
                    if (inner != loop) {
                        loops.computeIfAbsent(inner, node -> new ArrayList<>()).add(loop);
                    }
                }));
    }

    void check() {
        chunk.all(Expr.Call.class)
                .filter(call ->
                        "unpack".equals(chunk.callee(call)) && call.args().size() < 3)
                .filter(call -> call.args().isEmpty() || !isBatch(call.args().get(0), 0))
                .forEach(call -> report.add(Rule.UNPACK, call.line(), "unpack without an end"));
    }

    private static boolean isLoop(Stat stat) {
        return stat instanceof Stat.While
                || stat instanceof Stat.Repeat
                || stat instanceof Stat.NumericFor
                || stat instanceof Stat.GenericFor;
    }

    private boolean isBatch(Expr table, int depth) {
        if (depth > MAX_DEPTH) {
            return false;
        }
        for (String array : List.of("KEYS", "ARGV")) {
            if (chunk.isPath(table, array)) {
                return chunk.signature().entries().stream()
                        .filter(entry -> entry.array().equals(array) && entry.open())
                        .allMatch(entry -> entry.isAtMost(LIMIT));
            }
        }
        if (table instanceof Expr.Name name) {
            Set<Expr> values = chunk.values(name);
            return !values.isEmpty()
                    && values.stream().allMatch(value -> isBatch(value, depth + 1))
                    && additions(name.variable()).stream().allMatch(addition -> isBoundedAt(addition, values, depth));
        }
        if (table instanceof Expr.Table written) {
            // A call or "..." at the end adds any number, but for an unpack, which is checked by itself.
            Expr last = written.fields().isEmpty()
                    ? null
                    : written.fields().get(written.fields().size() - 1).value();
            return !(last instanceof Expr.Vararg)
                    && (!(last instanceof Expr.Call call)
                            || "unpack".equals(chunk.callee(call))
                            || chunk.command(call) != null);
        }
        if (table instanceof Expr.Parameter parameter) {
            List<Expr.Call> callers = chunk.callers(parameter.function());
            return !callers.isEmpty()
                    && callers.stream()
                            .allMatch(call ->
                                    isBatch(Flow.value(call.args(), parameter.position(), call.line()), depth + 1));
        }
        Command command = table instanceof Expr.Call call ? chunk.command(call) : null;
        return command != null && isBounded(command, depth);
    }

    private boolean isBounded(Command command, int depth) {
        List<Expr> args = command.args();
        if (command.reply() == Kind.ROW_REPLY) {
            return true;
        }
        boolean counted = COUNT_IS_LAST.contains(command.name())
                || command.indexOf("COUNT") == args.size() - 2
                || command.indexOf("LIMIT") == args.size() - 3;
        return counted && !args.isEmpty() && isCount(args.get(args.size() - 1), depth + 1);
    }

    /** Where a table gets more elements. */
    private List<Node> additions(@Nullable Variable table) {
        List<Node> found = new ArrayList<>();
        chunk.all(Stat.Assign.class)
                .filter(assign -> assign.targets().stream()
                        .anyMatch(target -> target instanceof Expr.Index index && isSame(index.base(), table)))
                .forEach(found::add);
        chunk.all(Expr.Call.class)
                .filter(call -> "table.insert".equals(chunk.callee(call))
                        && !call.args().isEmpty()
                        && isSame(call.args().get(0), table))
                .forEach(found::add);
        return found;
    }

    private static boolean isSame(Expr expr, @Nullable Variable variable) {
        return variable != null && expr instanceof Expr.Name name && name.variable() == variable;
    }

    /** Whether each loop around an addition is bounded, up to the one in which the table is made anew. */
    private boolean isBoundedAt(Node addition, Set<Expr> tables, int depth) {
        Set<Stat> around = Collections.newSetFromMap(new IdentityHashMap<>());
        tables.forEach(table -> around.addAll(loops.getOrDefault(table, List.of())));
        return loops.getOrDefault(addition, List.of()).stream()
                .filter(loop -> !around.contains(loop))
                .allMatch(loop -> isBounded(loop, depth + 1));
    }

    private boolean isBounded(Stat loop, int depth) {
        if (loop instanceof Stat.NumericFor counted) {
            return isCount(counted.bounds().get(1), depth);
        }
        return loop instanceof Stat.GenericFor each
                && each.sources().get(0) instanceof Expr.Call call
                && ("ipairs".equals(chunk.callee(call)) || "pairs".equals(chunk.callee(call)))
                && !call.args().isEmpty()
                && isBatch(call.args().get(0), depth);
    }

    /** Whether a number is at most {@link #LIMIT}. */
    private boolean isCount(Expr number, int depth) {
        if (depth > MAX_DEPTH) {
            return false;
        }
        Double written = chunk.number(number);
        if (written != null) {
            return written >= 0 && written <= LIMIT;
        }
        if (number instanceof Expr.Name name) {
            Set<Expr> values = chunk.values(name);
            return !values.isEmpty() && values.stream().allMatch(value -> isCount(value, depth + 1));
        }
        if (number instanceof Expr.Index index && chunk.isPath(index.base(), "ARGV")) {
            Double position = chunk.number(index.key());
            Signature.Entry entry = position == null ? null : chunk.signature().entry("ARGV", position.intValue());
            return entry != null && !entry.open() && entry.isAtMost(LIMIT);
        }
        if (number instanceof Expr.Unary unary) {
            return unary.operator().equals("#") && isBatch(unary.operand(), depth + 1);
        }
        if (number instanceof Expr.Binary binary) {
            return isCountMadeOf(binary, depth + 1);
        }
        String callee = chunk.callee(number);
        if (callee == null || !(number instanceof Expr.Call call)) {
            return false;
        }
        return switch (callee) {
            case "tonumber", "math.floor", "math.ceil" -> call.args().stream().allMatch(arg -> isCount(arg, depth + 1));
            case "math.min" -> call.args().stream().anyMatch(arg -> isCount(arg, depth + 1));
            default -> false;
        };
    }

    /** {@code n - 1}, {@code n / 2}, {@code a or b}; a sum or product may be too large. */
    private boolean isCountMadeOf(Expr.Binary binary, int depth) {
        return switch (binary.operator()) {
            case "-", "/" -> isCount(binary.left(), depth) && chunk.number(binary.right()) != null;
            case "or" -> isCount(binary.left(), depth) && isCount(binary.right(), depth);
            default -> false;
        };
    }
}
