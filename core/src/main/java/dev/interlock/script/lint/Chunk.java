// SPDX-License-Identifier: Apache-2.0
package dev.interlock.script.lint;

import java.util.ArrayList;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** A parsed script with what the rules ask about it. Belongs to one thread. */
final class Chunk {
    private static final Set<String> CALLS = Set.of("redis.call", "redis.pcall", "server.call", "server.pcall");
    /** More than any sensible script follows one value from local to local. */
    private static final int MAX_HOPS = 50;

    private final List<Node> nodes = new ArrayList<>();
    private final Flow flow;
    private final IdentityHashMap<Expr.Function, List<Expr.Call>> callers = new IdentityHashMap<>();
    private final Signature signature;

    /** @throws SyntaxException if it is not Lua 5.1 */
    Chunk(String source) {
        Stat.Block block = StatParser.parse(source);
        block.walk(nodes::add);
        flow = new Flow(block);
        signature = Signature.of(source);
        all(Expr.Call.class).forEach(call -> {
            Expr.Function function = function(call);
            if (function != null) {
                callers.computeIfAbsent(function, f -> new ArrayList<>()).add(call);
            }
        });
    }

    /** All parts of a kind, in the order of the source. */
    <T extends Node> Stream<T> all(Class<T> kind) {
        return nodes.stream().filter(kind::isInstance).map(kind::cast);
    }

    Signature signature() {
        return signature;
    }

    /** What a use of a local may be; see {@link Flow}. */
    Set<Expr> values(Expr.Name use) {
        return flow.values(use);
    }

    /** The calls of a function that was written for a local. */
    List<Expr.Call> callers(Expr.Function function) {
        return callers.getOrDefault(function, List.of());
    }

    /** The function of this script that is called, if that is certain. */
    Expr.@Nullable Function function(Expr.Call call) {
        return call.method() == null && origin(call.callee()) instanceof Expr.Function function ? function : null;
    }

    /** Where a function itself is left, not one that is written within it; its end is not among them. */
    static List<Stat.Return> returns(Expr.Function function) {
        List<Stat.Return> found = new ArrayList<>();
        collectReturns(function.body(), found);
        return found;
    }

    private static void collectReturns(Node node, List<Stat.Return> found) {
        if (node instanceof Stat.Return leave) {
            found.add(leave);
        } else if (!(node instanceof Expr.Function)) {
            node.children().forEach(child -> collectReturns(child, found));
        }
    }

    /** The expression itself, or for a local with one possible value that value. */
    Expr origin(Expr expr) {
        Expr found = expr;
        for (int hops = 0; hops < MAX_HOPS; hops++) {
            if (!(found instanceof Expr.Name name) || values(name).size() != 1) {
                return found;
            }
            found = values(name).iterator().next();
        }
        return found;
    }

    /** A global with its fields, such as {@code redis.call}, also by way of locals; null for anything else. */
    @Nullable
    String path(Expr expr) {
        return path(expr, MAX_HOPS);
    }

    private @Nullable String path(Expr expr, int hops) {
        Expr origin = origin(expr);
        if (origin instanceof Expr.Name name && name.variable() == null) {
            return name.name();
        }
        if (hops > 0
                && origin instanceof Expr.Index index
                && index.key() instanceof Expr.Literal key
                && key.type() == Expr.Type.STRING) {
            String base = path(index.base(), hops - 1);
            return base == null ? null : base + "." + key.text();
        }
        return null;
    }

    boolean isPath(Expr expr, String path) {
        return path.equals(path(expr));
    }

    /** The path of what is called; null for a method or a function of the script. */
    @Nullable
    String callee(Expr expr) {
        return expr instanceof Expr.Call call && call.method() == null ? path(call.callee()) : null;
    }

    /** The string that an expression is, if it is written in the script. */
    @Nullable
    String text(Expr expr) {
        return origin(expr) instanceof Expr.Literal literal && literal.type() == Expr.Type.STRING
                ? literal.text()
                : null;
    }

    /** The number that an expression is, if it is written in the script. */
    @Nullable
    Double number(Expr expr) {
        Expr origin = origin(expr);
        if (origin instanceof Expr.Unary minus && minus.operator().equals("-")) {
            Double positive = number(minus.operand());
            return positive == null ? null : -positive;
        }
        if (!(origin instanceof Expr.Literal literal) || literal.type() != Expr.Type.NUMBER) {
            return null;
        }
        try {
            String text = literal.text().toLowerCase(Locale.ROOT);
            return text.startsWith("0x") ? Long.decode(text).doubleValue() : Double.parseDouble(text);
        } catch (NumberFormatException e) {
            return null;
        }
    }

    /** All calls of Redis commands that can be recognised. */
    Stream<Command> commands() {
        return all(Expr.Call.class).map(this::command).flatMap(Stream::ofNullable);
    }

    /** The command of a call of {@code redis.call} or {@code redis.pcall}; null if it is none or computed. */
    @Nullable
    Command command(Expr.Call call) {
        List<Expr> args = call.args();
        String path = callee(call);
        if ("pcall".equals(path) && !args.isEmpty()) {
            path = path(args.get(0));
            args = args.subList(1, args.size());
        }
        if (path == null || !CALLS.contains(path) || args.isEmpty()) {
            return null;
        }
        String name = text(args.get(0));
        return name == null ? null : new Command(name.toUpperCase(Locale.ROOT), args.subList(1, args.size()), call);
    }
}
