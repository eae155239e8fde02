// SPDX-License-Identifier: Apache-2.0
package dev.interlock.script.lint;

import java.util.Collection;
import java.util.EnumSet;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Tells what kinds of values an expression may have, through locals and functions of the script. */
final class Values {
    private static final Set<String> STRING_MAKERS =
            Set.of("format", "sub", "gsub", "rep", "lower", "upper", "reverse", "char");
    private static final Set<String> STRING_MEASURES = Set.of("len", "byte", "find");
    /** More than any sensible script; keeps the stack small on the others. */
    private static final int MAX_DEPTH = 200;

    private final Chunk chunk;
    private final Elements elements;
    private final IdentityHashMap<Expr, Set<Kind>> known = new IdentityHashMap<>();
    private int depth;

    Values(Chunk chunk) {
        this.chunk = chunk;
        this.elements = new Elements(chunk);
    }

    /** What the expression may be; never empty except within a cycle of definitions. */
    Set<Kind> kinds(Expr expr) {
        Set<Kind> found = known.get(expr);
        if (found != null) {
            return found;
        }
        if (depth > MAX_DEPTH) {
            return EnumSet.of(Kind.UNKNOWN);
        }
        known.put(expr, Set.of()); // while it is looked for: a definition by itself adds nothing
        depth++;
        found = find(expr);
        depth--;
        known.put(expr, found);
        return found;
    }

    private Set<Kind> find(Expr expr) {
        if (expr instanceof Expr.Literal literal) {
            return EnumSet.of(
                    switch (literal.type()) {
                        case NIL -> Kind.NIL;
                        case BOOLEAN -> Kind.BOOLEAN;
                        case NUMBER -> Kind.NUMBER;
                        case STRING -> Kind.LITERAL;
                    });
        }
        if (expr instanceof Expr.Name name) {
            return name.variable() == null ? EnumSet.of(Kind.UNKNOWN) : union(chunk.values(name));
        }
        if (expr instanceof Expr.Index index) {
            return element(index.base(), index.key());
        }
        if (expr instanceof Expr.Call call) {
            return call(call, 0);
        }
        if (expr instanceof Expr.Result result && result.call() instanceof Expr.Call call) {
            return call(call, result.position());
        }
        if (expr instanceof Expr.Item item) {
            return item(item);
        }
        if (expr instanceof Expr.Parameter parameter) {
            List<Expr.Call> callers = chunk.callers(parameter.function());
            return union(callers.stream()
                    .map(call -> Flow.value(call.args(), parameter.position(), call.line()))
                    .toList());
        }
        if (expr instanceof Expr.Binary || expr instanceof Expr.Unary) {
            return operation(expr);
        }
        if (expr instanceof Expr.Table) {
            return EnumSet.of(Kind.TABLE);
        }
        if (expr instanceof Expr.Function) {
            return EnumSet.of(Kind.FUNCTION);
        }
        return EnumSet.of(expr instanceof Expr.Counter ? Kind.NUMBER : Kind.UNKNOWN);
    }

    private Set<Kind> union(Collection<Expr> exprs) {
        if (exprs.isEmpty()) {
            return EnumSet.of(Kind.UNKNOWN);
        }
        Set<Kind> all = EnumSet.noneOf(Kind.class);
        exprs.forEach(expr -> all.addAll(kinds(expr)));
        return all;
    }

    private Set<Kind> operation(Expr expr) {
        if (expr instanceof Expr.Unary unary) {
            return EnumSet.of(unary.operator().equals("not") ? Kind.BOOLEAN : Kind.NUMBER);
        }
        Expr.Binary binary = (Expr.Binary) expr;
        Set<Kind> either = EnumSet.noneOf(Kind.class);
        switch (binary.operator()) {
            case "or" -> {
                either.addAll(kinds(binary.left()));
                either.removeAll(Set.of(Kind.NIL, Kind.BOOLEAN));
                either.addAll(kinds(binary.right()));
            }
            case "and" -> {
                either.addAll(kinds(binary.right()));
                either.add(Kind.BOOLEAN);
            }
            case ".." -> either.add(Kind.BUILT);
            case "==", "~=", "<", ">", "<=", ">=" -> either.add(Kind.BOOLEAN);
            default -> either.add(Kind.NUMBER);
        }
        return either;
    }

    private Set<Kind> item(Expr.Item item) {
        String iterator = chunk.callee(item.source());
        boolean pairs = "ipairs".equals(iterator) || "pairs".equals(iterator);
        if (!pairs || !(item.source() instanceof Expr.Call call) || call.args().isEmpty()) {
            return EnumSet.of(Kind.UNKNOWN);
        }
        if (item.position() == 0) {
            return EnumSet.of("ipairs".equals(iterator) ? Kind.NUMBER : Kind.UNKNOWN);
        }
        return element(call.args().get(0), null);
    }

    /** An element of a table, the key null if it may be any. */
    private Set<Kind> element(Expr table, @Nullable Expr key) {
        if (chunk.isPath(table, "KEYS")) {
            return EnumSet.of(Kind.KEY);
        }
        if (chunk.isPath(table, "ARGV")) {
            return EnumSet.of(Kind.ARGUMENT);
        }
        Set<Expr> own = elements.of(table, key);
        Set<Kind> all = EnumSet.noneOf(Kind.class);
        own.forEach(value -> all.addAll(kinds(value)));
        for (Kind kind : kinds(table)) {
            switch (kind) {
                case ROW_REPLY -> all.add(Kind.ROW_ITEM);
                case LIST_REPLY -> all.add(Kind.LIST_ITEM);
                case DECODED -> all.add(Kind.DECODED);
                case TABLE -> all.add(own.isEmpty() ? Kind.UNKNOWN : Kind.NIL);
                default -> all.add(Kind.UNKNOWN);
            }
        }
        return all;
    }

    private Set<Kind> call(Expr.Call call, int position) {
        Command command = chunk.command(call);
        if (command != null) {
            boolean guarded = "pcall".equals(chunk.callee(call));
            return EnumSet.of(position == (guarded ? 1 : 0) ? command.reply() : Kind.BOOLEAN);
        }
        Expr.Function function = chunk.function(call);
        if (function != null) {
            return returned(function, position);
        }
        if (call.method() != null) {
            return EnumSet.of(string(call.method()));
        }
        return library(call, position);
    }

    private Set<Kind> returned(Expr.Function function, int position) {
        Set<Kind> all = EnumSet.noneOf(Kind.class);
        for (Stat.Return leave : Chunk.returns(function)) {
            all.addAll(kinds(Flow.value(leave.values(), position, leave.line())));
        }
        return all;
    }

    private Set<Kind> library(Expr.Call call, int position) {
        String path = chunk.callee(call);
        if (path == null) {
            return EnumSet.of(Kind.UNKNOWN);
        }
        Expr first = call.args().isEmpty() ? call : call.args().get(0);
        return switch (path) {
            case "tonumber", "os.clock" -> EnumSet.of(Kind.NUMBER);
            case "tostring", "type", "table.concat", "cjson.encode", "cmsgpack.pack", "redis.sha1hex", "struct.pack" ->
                EnumSet.of(Kind.BUILT);
            case "cjson.decode" -> EnumSet.of(Kind.DECODED);
            case "redis.call", "redis.pcall" -> EnumSet.of(Kind.OTHER_REPLY);
            case "redis.error_reply", "redis.status_reply" -> EnumSet.of(Kind.TABLE);
            case "assert" -> first == call || position > 0 ? EnumSet.of(Kind.UNKNOWN) : kinds(first);
            case "unpack" -> first == call ? EnumSet.of(Kind.UNKNOWN) : element(first, null);
            default -> {
                if (path.startsWith("string.")) {
                    yield EnumSet.of(string(path.substring("string.".length())));
                }
                yield EnumSet.of(path.startsWith("math.") || path.startsWith("bit.") ? Kind.NUMBER : Kind.UNKNOWN);
            }
        };
    }

    private static Kind string(String function) {
        return STRING_MAKERS.contains(function)
                ? Kind.BUILT
                : STRING_MEASURES.contains(function) ? Kind.NUMBER : Kind.UNKNOWN;
    }
}
