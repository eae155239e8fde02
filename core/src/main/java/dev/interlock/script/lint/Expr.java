// SPDX-License-Identifier: Apache-2.0
package dev.interlock.script.lint;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** An expression. Parentheses are gone: {@code (f())} is {@code f()}. */
sealed interface Expr extends Node {
    @Override
    default List<? extends Node> children() {
        return List.of();
    }

    /** What a literal is. */
    enum Type {
        NIL,
        BOOLEAN,
        NUMBER,
        STRING
    }

    /** {@code nil}, {@code true}, {@code 42}, {@code 'text'}; the text without quotes. */
    record Literal(int line, Type type, String text) implements Expr {}

    /** A use of a local variable, or of a global if {@code variable} is null. */
    record Name(int line, String name, @Nullable Variable variable) implements Expr {}

    /** {@code ...}. */
    record Vararg(int line) implements Expr {}

    /** {@code function (parameters) body end}. */
    record Function(int line, List<Variable> parameters, Stat.Block body) implements Expr {
        @Override
        public List<Node> children() {
            return List.of(body);
        }
    }

    /** An entry of a table; without a key it has the next number. */
    record Field(@Nullable Expr key, Expr value) {}

    /** {@code {fields}}. */
    record Table(int line, List<Field> fields) implements Expr {
        @Override
        public List<Expr> children() {
            return fields.stream()
                    .flatMap(field ->
                            field.key() == null ? Stream.of(field.value()) : Stream.of(field.key(), field.value()))
                    .toList();
        }
    }

    /** {@code base[key]}; {@code base.key} has a string literal as its key. */
    record Index(int line, Expr base, Expr key) implements Expr {
        @Override
        public List<Expr> children() {
            return List.of(base, key);
        }
    }

    /** {@code callee(args)} or {@code callee:method(args)}. */
    record Call(int line, Expr callee, @Nullable String method, List<Expr> args) implements Expr {
        @Override
        public List<Expr> children() {
            List<Expr> all = new ArrayList<>(List.of(callee));
            all.addAll(args);
            return all;
        }
    }

    /** {@code left operator right}. */
    record Binary(int line, String operator, Expr left, Expr right) implements Expr {
        @Override
        public List<Expr> children() {
            return List.of(left, right);
        }
    }

    /** {@code -operand}, {@code not operand}, {@code #operand}. */
    record Unary(int line, String operator, Expr operand) implements Expr {
        @Override
        public List<Expr> children() {
            return List.of(operand);
        }
    }

    // What follows is never written in a source: it stands for a value that a variable gets without an expression.

    /** A result of a call other than its first: position 1 is the second. */
    record Result(int line, Expr call, int position) implements Expr {}

    /** A variable of {@code for … in source}; position 0 is the first. */
    record Item(int line, Expr source, int position) implements Expr {}

    /** The variable of {@code for i = from, to}. */
    record Counter(int line) implements Expr {}

    /** What callers pass to a function; position 0 is the first. */
    record Parameter(int line, Function function, int position) implements Expr {}
}
