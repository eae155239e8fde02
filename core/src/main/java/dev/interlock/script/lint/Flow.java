// SPDX-License-Identifier: Apache-2.0
package dev.interlock.script.lint;

import java.util.ArrayList;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Which values each use of a local may have: those assigned on some way to it.
 *
 * <p>Branches are joined, a way that ends in {@code return} or {@code break} is not. A loop may have run any number of
 * times. A function sees the locals outside as they are where it is written; what it assigns to them is not seen
 * outside.
 */
final class Flow {
    private final IdentityHashMap<Expr.Name, Set<Expr>> reaching = new IdentityHashMap<>();

    Flow(Stat.Block script) {
        run(script, new Env());
    }

    /** What a use of a local may be; empty if it is never reached. */
    Set<Expr> values(Expr.Name use) {
        return reaching.getOrDefault(use, Set.of());
    }

    /** The value that is assigned to the target at {@code position}. */
    static Expr value(List<Expr> values, int position, int line) {
        if (position < values.size()) {
            return values.get(position);
        }
        if (!values.isEmpty() && values.get(values.size() - 1) instanceof Expr.Call call) {
            return new Expr.Result(call.line(), call, position - values.size() + 1);
        }
        return new Expr.Literal(line, Expr.Type.NIL, "nil");
    }

    private void run(Stat.Block block, Env env) {
        block.stats().forEach(stat -> run(stat, env));
    }

    private void run(Stat stat, Env env) {
        if (stat instanceof Stat.Block block) {
            run(block, env);
        } else if (stat instanceof Stat.If branches) {
            branch(branches, env);
        } else if (stat instanceof Stat.While loop) {
            env.addAllAssignedIn(loop);
            use(loop.condition(), env);
            run(loop.body(), new Env(env));
        } else if (stat instanceof Stat.Repeat loop) {
            env.addAllAssignedIn(loop);
            Env inside = new Env(env);
            run(loop.body(), inside);
            use(loop.condition(), inside);
        } else if (stat instanceof Stat.NumericFor loop) {
            loop.bounds().forEach(bound -> use(bound, env));
            env.addAllAssignedIn(loop.body());
            Env inside = new Env(env);
            inside.set(loop.variable(), new Expr.Counter(loop.line()));
            run(loop.body(), inside);
        } else if (stat instanceof Stat.GenericFor loop) {
            forEach(loop, env);
        } else {
            simple(stat, env);
        }
    }

    private void simple(Stat stat, Env env) {
        if (stat instanceof Stat.Local local) {
            local.values().forEach(value -> use(value, env));
            for (int i = 0; i < local.variables().size(); i++) {
                env.set(local.variables().get(i), value(local.values(), i, local.line()));
            }
        } else if (stat instanceof Stat.LocalFunction local) {
            env.set(local.variable(), local.function());
            use(local.function(), env);
        } else if (stat instanceof Stat.Assign assign) {
            assign.children().forEach(part -> use(part, env));
            for (int i = 0; i < assign.targets().size(); i++) {
                if (assign.targets().get(i) instanceof Expr.Name name && name.variable() != null) {
                    env.set(name.variable(), value(assign.values(), i, assign.line()));
                }
            }
        } else {
            stat.children().forEach(part -> use((Expr) part, env));
            env.dead |= stat instanceof Stat.Return || stat instanceof Stat.Break || isError(stat);
        }
    }

    private static boolean isError(Stat stat) {
        return stat instanceof Stat.Run run
                && run.call() instanceof Expr.Call call
                && call.callee() instanceof Expr.Name name
                && name.variable() == null
                && name.name().equals("error");
    }

    private void branch(Stat.If branches, Env env) {
        Env joined = new Env();
        joined.dead = true;
        for (int i = 0; i < branches.blocks().size(); i++) {
            if (i < branches.conditions().size()) {
                use(branches.conditions().get(i), env);
            }
            Env inside = new Env(env);
            run(branches.blocks().get(i), inside);
            joined.join(inside);
        }
        if (branches.blocks().size() == branches.conditions().size()) { // no else
            joined.join(env);
        }
        env.become(joined);
    }

    private void forEach(Stat.GenericFor loop, Env env) {
        loop.sources().forEach(source -> use(source, env));
        env.addAllAssignedIn(loop.body());
        Env inside = new Env(env);
        for (int i = 0; i < loop.variables().size(); i++) {
            inside.set(
                    loop.variables().get(i),
                    new Expr.Item(loop.line(), loop.sources().get(0), i));
        }
        run(loop.body(), inside);
    }

    private void use(Node expr, Env env) {
        if (expr instanceof Expr.Name name) {
            if (name.variable() != null) {
                reaching.put(name, env.get(name.variable()));
            }
        } else if (expr instanceof Expr.Function function) {
            Env inside = new Env(env);
            for (int i = 0; i < function.parameters().size(); i++) {
                inside.set(function.parameters().get(i), new Expr.Parameter(function.line(), function, i));
            }
            run(function.body(), inside);
        } else {
            expr.children().forEach(child -> use(child, env));
        }
    }

    /** The values of all locals at one point. */
    private static final class Env {
        private final IdentityHashMap<Variable, Set<Expr>> values = new IdentityHashMap<>();
        /** Whether this point is never reached. */
        private boolean dead;

        Env() {}

        Env(Env other) {
            become(other);
        }

        void become(Env other) {
            values.clear();
            values.putAll(other.values);
            dead = other.dead;
        }

        void set(Variable variable, Expr value) {
            Set<Expr> one = identitySet();
            one.add(value);
            values.put(variable, one);
        }

        Set<Expr> get(Variable variable) {
            return values.getOrDefault(variable, Set.of());
        }

        void join(Env other) {
            if (other.dead) {
                return;
            }
            if (dead) {
                become(other);
                return;
            }
            other.values.forEach((variable, more) -> values.merge(variable, more, Env::union));
        }

        /** Whatever a loop assigns may have been assigned when it begins again. */
        void addAllAssignedIn(Node loop) {
            List<Stat.Assign> assigns = new ArrayList<>();
            loop.walk(node -> {
                if (node instanceof Stat.Assign assign) {
                    assigns.add(assign);
                }
            });
            for (Stat.Assign assign : assigns) {
                for (int i = 0; i < assign.targets().size(); i++) {
                    if (assign.targets().get(i) instanceof Expr.Name name && name.variable() != null) {
                        add(name.variable(), value(assign.values(), i, assign.line()));
                    }
                }
            }
        }

        private void add(@Nullable Variable variable, Expr value) {
            if (variable != null && values.containsKey(variable)) { // not one that the loop itself declares
                Set<Expr> one = identitySet();
                one.add(value);
                values.merge(variable, one, Env::union);
            }
        }

        private static Set<Expr> union(Set<Expr> a, Set<Expr> b) {
            Set<Expr> all = identitySet();
            all.addAll(a);
            all.addAll(b);
            return all;
        }

        private static Set<Expr> identitySet() {
            return Collections.newSetFromMap(new IdentityHashMap<>());
        }
    }
}
