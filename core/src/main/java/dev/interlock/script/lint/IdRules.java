// SPDX-License-Identifier: Apache-2.0
package dev.interlock.script.lint;

import java.util.List;
import java.util.Locale;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * L12: ids as numbers.
 *
 * <p>A name says that it is an id if its last word is one of {@link #WORDS}: {@code userId}, {@code request_id}, {@code
 * owner}; of a description in the header the part before the first comma or preposition counts. A fence or fencing token
 * is a number and none. A value is an id if it is text from outside and the header, a local or a field that holds it says
 * so.
 */
final class IdRules {
    private static final Set<String> WORDS = Set.of(
            "id",
            "ids",
            "uid",
            "uuid",
            "guid",
            "user",
            "customer",
            "account",
            "client",
            "tenant",
            "owner",
            "holder",
            "session",
            "request",
            "token",
            "nonce");
    private static final Set<String> NUMBERS = Set.of("fence", "fencing");
    private static final int MAX_DEPTH = 20;

    private final Chunk chunk;
    private final Values values;
    private final Report report;

    IdRules(Chunk chunk, Values values, Report report) {
        this.chunk = chunk;
        this.values = values;
        this.report = report;
    }

    void check() {
        chunk.all(Expr.Call.class).filter(call -> !call.args().isEmpty()).forEach(this::checkCall);
        chunk.all(Expr.Index.class)
                .filter(index -> saysId(chunk.text(index.key()))
                        && values.kinds(index.base()).contains(Kind.DECODED))
                .forEach(index -> report.add(Rule.ID_NUMBER, index.line(), "an id from cjson.decode"));
        chunk.all(Stat.Local.class).forEach(local -> {
            for (int i = 0;
                    i < Math.min(local.variables().size(), local.values().size());
                    i++) {
                checkNamed(local.variables().get(i).name(), local.values().get(i));
            }
        });
    }

    private void checkCall(Expr.Call call) {
        String callee = chunk.callee(call);
        Expr arg = call.args().get(0);
        boolean converts = "tonumber".equals(callee) || "cjson.decode".equals(callee) || "cjson.encode".equals(callee);
        if (converts && (isId(arg, 0) || ("cjson.encode".equals(callee) && holdsId(arg)))) {
            report.add(Rule.ID_NUMBER, call.line(), callee + " of an id");
        }
    }

    /** {@code local userId = tonumber(…)}: the name says what the argument is. */
    private void checkNamed(String name, Expr value) {
        if (value instanceof Expr.Call call
                && "tonumber".equals(chunk.callee(call))
                && saysId(name)
                && !call.args().isEmpty()
                && Kind.any(values.kinds(call.args().get(0)), Kind.RAW)) {
            report.add(Rule.ID_NUMBER, call.line(), "tonumber of an id");
        }
    }

    private boolean holdsId(Expr expr) {
        return chunk.origin(expr) instanceof Expr.Table table
                && table.fields().stream()
                        .anyMatch(field -> isId(field.value(), 0)
                                || (field.key() != null && saysId(chunk.text(field.key())) && isText(field.value())));
    }

    private boolean isId(Expr expr, int depth) {
        if (depth > MAX_DEPTH || !isText(expr)) {
            return false;
        }
        if (expr instanceof Expr.Name name) {
            return saysId(name.name()) || chunk.values(name).stream().anyMatch(value -> isId(value, depth + 1));
        }
        if (expr instanceof Expr.Binary either) { // of text only "and" and "or" are left
            return isId(either.left(), depth + 1) || isId(either.right(), depth + 1);
        }
        if (expr instanceof Expr.Index index) {
            return chunk.isPath(index.base(), "ARGV") ? isIdArgument(index.key()) : saysId(chunk.text(index.key()));
        }
        return expr instanceof Expr.Item item
                && item.source() instanceof Expr.Call call
                && chunk.isPath(call.args().get(0), "ARGV")
                && isIdArgument(null);
    }

    /** Whether the header calls the argument an id; any of a variable number if the index is not written. */
    private boolean isIdArgument(@Nullable Expr key) {
        Double number = key == null ? null : chunk.number(key);
        List<Signature.Entry> entries = chunk.signature().entries();
        return entries.stream()
                .filter(entry -> entry.array().equals("ARGV"))
                .filter(entry -> number == null ? entry.open() : entry.covers("ARGV", number.intValue()))
                .anyMatch(entry -> saysId(entry.name()));
    }

    private boolean isText(Expr expr) {
        return Kind.any(values.kinds(expr), Kind.RAW);
    }

    private static boolean saysId(@Nullable String name) {
        if (name == null) {
            return false;
        }
        String separated = name.replaceAll("(?<=[a-z0-9])(?=[A-Z])", " ").toLowerCase(Locale.ROOT);
        List<String> words = List.of(separated.strip().split("[^a-z]+"));
        return WORDS.contains(words.get(words.size() - 1)) && words.stream().noneMatch(NUMBERS::contains);
    }
}
