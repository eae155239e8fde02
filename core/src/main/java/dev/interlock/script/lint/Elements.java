// SPDX-License-Identifier: Apache-2.0
package dev.interlock.script.lint;

import java.util.ArrayList;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Tells which values the script puts into its tables, wherever it does so. */
final class Elements {
    private static final int MAX_DEPTH = 20;

    private final Chunk chunk;
    private final IdentityHashMap<Variable, List<Expr.Field>> stored = new IdentityHashMap<>();

    Elements(Chunk chunk) {
        this.chunk = chunk;
        chunk.all(Stat.Assign.class).forEach(assign -> {
            for (int i = 0; i < assign.targets().size(); i++) {
                if (assign.targets().get(i) instanceof Expr.Index index) {
                    Expr key = isWritten(index.key()) ? index.key() : null;
                    store(index.base(), new Expr.Field(key, Flow.value(assign.values(), i, assign.line())));
                }
            }
        });
        chunk.all(Expr.Call.class)
                .filter(call ->
                        "table.insert".equals(chunk.callee(call)) && call.args().size() > 1)
                .forEach(call -> {
                    Expr value = call.args().get(call.args().size() - 1);
                    store(call.args().get(0), new Expr.Field(null, value));
                });
    }

    private void store(Expr table, Expr.Field field) {
        if (table instanceof Expr.Name name && name.variable() != null) {
            stored.computeIfAbsent(name.variable(), v -> new ArrayList<>()).add(field);
        }
    }

    /**
     * What the element of a table of the script may be.
     *
     * @param key null if it may be any
     */
    Set<Expr> of(Expr table, @Nullable Expr key) {
        Set<Expr> found = Collections.newSetFromMap(new IdentityHashMap<>());
        collect(table, key, found, 0);
        return found;
    }

    private void collect(Expr table, @Nullable Expr key, Set<Expr> found, int depth) {
        if (depth > MAX_DEPTH) {
            return;
        }
        if (table instanceof Expr.Name name && name.variable() != null) {
            stored.getOrDefault(name.variable(), List.of()).stream()
                    .filter(field -> field.key() == null || isSame(field.key(), key))
                    .forEach(field -> found.add(field.value()));
            chunk.values(name).forEach(value -> collect(value, key, found, depth + 1));
        } else if (table instanceof Expr.Table written) {
            for (int i = 0; i < written.fields().size(); i++) {
                Expr.Field field = written.fields().get(i);
                Expr own = field.key() == null
                        ? new Expr.Literal(table.line(), Expr.Type.NUMBER, String.valueOf(i + 1))
                        : field.key();
                if (isSame(own, key)) {
                    found.add(field.value());
                }
            }
        } else if (table instanceof Expr.Parameter parameter) {
            for (Expr.Call call : chunk.callers(parameter.function())) {
                if (parameter.position() < call.args().size()) {
                    collect(call.args().get(parameter.position()), key, found, depth + 1);
                }
            }
        }
    }

    private static boolean isWritten(Expr key) {
        return key instanceof Expr.Literal;
    }

    /** Whether they may be equal. */
    private static boolean isSame(Expr a, @Nullable Expr b) {
        return !(a instanceof Expr.Literal first)
                || !(b instanceof Expr.Literal second)
                || first.text().equals(second.text());
    }
}
