// SPDX-License-Identifier: Apache-2.0
package dev.interlock.script.lint;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A statement. */
sealed interface Stat extends Node {
    /** {@code do … end}, and the body of everything else. */
    record Block(int line, List<Stat> stats) implements Stat {
        @Override
        public List<Stat> children() {
            return stats;
        }

        @Nullable
        Stat last() {
            return stats.isEmpty() ? null : stats.get(stats.size() - 1);
        }

        /** Whether its end is never reached. */
        boolean leaves() {
            Stat last = last();
            return last instanceof Break || last instanceof Return || (last instanceof Block inner && inner.leaves());
        }
    }

    /** {@code local variables = values}. */
    record Local(int line, List<Variable> variables, List<Expr> values) implements Stat {
        @Override
        public List<Expr> children() {
            return values;
        }
    }

    /** {@code local function}: the function may call itself. */
    record LocalFunction(int line, Variable variable, Expr.Function function) implements Stat {
        @Override
        public List<Expr> children() {
            return List.of(function);
        }
    }

    /** {@code targets = values}, and {@code function target() … end}. */
    record Assign(int line, List<Expr> targets, List<Expr> values) implements Stat {
        @Override
        public List<Expr> children() {
            List<Expr> all = new ArrayList<>(targets);
            all.addAll(values);
            return all;
        }
    }

    /** A call for its effect. */
    record Run(int line, Expr call) implements Stat {
        @Override
        public List<Expr> children() {
            return List.of(call);
        }
    }

    /** {@code while condition do body end}. */
    record While(int line, Expr condition, Block body) implements Stat {
        @Override
        public List<Node> children() {
            return List.of(condition, body);
        }
    }

    /** {@code repeat body until condition}. */
    record Repeat(int line, Block body, Expr condition) implements Stat {
        @Override
        public List<Node> children() {
            return List.of(body, condition);
        }
    }

    /** {@code if} with its {@code elseif}s: conditions and blocks; one block more if there is an {@code else}. */
    record If(int line, List<Expr> conditions, List<Block> blocks) implements Stat {
        @Override
        public List<Node> children() {
            List<Node> all = new ArrayList<>();
            for (int i = 0; i < blocks.size(); i++) {
                if (i < conditions.size()) {
                    all.add(conditions.get(i));
                }
                all.add(blocks.get(i));
            }
            return all;
        }
    }

    /** {@code for variable = bounds do body end}; bounds are first, last and maybe the step. */
    record NumericFor(int line, Variable variable, List<Expr> bounds, Block body) implements Stat {
        @Override
        public List<Node> children() {
            List<Node> all = new ArrayList<>(bounds);
            all.add(body);
            return all;
        }
    }

    /** {@code for variables in sources do body end}. */
    record GenericFor(int line, List<Variable> variables, List<Expr> sources, Block body) implements Stat {
        @Override
        public List<Node> children() {
            List<Node> all = new ArrayList<>(sources);
            all.add(body);
            return all;
        }
    }

    /** {@code return values}. */
    record Return(int line, List<Expr> values) implements Stat {
        @Override
        public List<Expr> children() {
            return values;
        }
    }

    /** {@code break}. */
    record Break(int line) implements Stat {
        @Override
        public List<Node> children() {
            return List.of();
        }
    }
}
