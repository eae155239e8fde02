// SPDX-License-Identifier: Apache-2.0
package dev.interlock.script.lint;

import java.util.ArrayList;
import java.util.List;

/** Parses statements of Lua 5.1 and binds every name to the local it means. */
final class StatParser {
    private final Cursor cursor;
    private final ExprParser expressions;

    private StatParser(Cursor cursor) {
        this.cursor = cursor;
        this.expressions = new ExprParser(cursor, this);
    }

    /**
     * The tree of a whole source.
     *
     * @throws SyntaxException if it is not Lua 5.1
     */
    static Stat.Block parse(String source) {
        Cursor cursor = new Cursor(Lexer.tokens(source));
        StatParser parser = new StatParser(cursor);
        cursor.openScope();
        Stat.Block block = parser.statements();
        if (cursor.peek().kind() != Token.Kind.END) {
            throw cursor.unexpected("a statement");
        }
        return block;
    }

    /** Statements in a scope of their own, up to and with the closing word. */
    Stat.Block block(String end) {
        Stat.Block block = block();
        cursor.expect(end);
        return block;
    }

    private Stat.Block block() {
        cursor.openScope();
        Stat.Block block = statements();
        cursor.closeScope();
        return block;
    }

    private Stat.Block statements() {
        int line = cursor.line();
        cursor.enter();
        List<Stat> stats = new ArrayList<>();
        while (!endsBlock()) {
            Stat stat = statement();
            stats.add(stat);
            cursor.accept(";");
            if (stat instanceof Stat.Return || stat instanceof Stat.Break) {
                break;
            }
        }
        cursor.leave();
        return new Stat.Block(line, stats);
    }

    private boolean endsBlock() {
        return cursor.peek().kind() == Token.Kind.END
                || cursor.isNext("end")
                || cursor.isNext("else")
                || cursor.isNext("elseif")
                || cursor.isNext("until");
    }

    private Stat statement() {
        Token token = cursor.peek();
        if (token.kind() != Token.Kind.KEYWORD) {
            return callOrAssign();
        }
        cursor.next();
        return switch (token.text()) {
            case "do" -> block("end");
            case "while" -> whileLoop(token.line());
            case "repeat" -> repeatLoop(token.line());
            case "if" -> branches(token.line());
            case "for" -> forLoop(token.line());
            case "function" -> function(token.line());
            case "local" -> local(token.line());
            case "return" ->
                new Stat.Return(token.line(), endsBlock() || cursor.isNext(";") ? List.of() : expressions.list());
            case "break" -> new Stat.Break(token.line());
            default -> throw new SyntaxException(token.line(), "unexpected " + token.text());
        };
    }

    private Stat callOrAssign() {
        int line = cursor.line();
        Expr first = expressions.suffixed();
        if (first instanceof Expr.Call && !cursor.isNext("=") && !cursor.isNext(",")) {
            return new Stat.Run(line, first);
        }
        List<Expr> targets = new ArrayList<>(List.of(first));
        while (cursor.accept(",")) {
            targets.add(expressions.suffixed());
        }
        cursor.expect("=");
        return new Stat.Assign(line, targets, expressions.list());
    }

    private Stat whileLoop(int line) {
        Expr condition = expressions.expression();
        cursor.expect("do");
        return new Stat.While(line, condition, block("end"));
    }

    private Stat repeatLoop(int line) {
        cursor.openScope(); // the condition sees the locals of the body
        Stat.Block body = statements();
        cursor.expect("until");
        Expr condition = expressions.expression();
        cursor.closeScope();
        return new Stat.Repeat(line, body, condition);
    }

    private Stat branches(int line) {
        List<Expr> conditions = new ArrayList<>();
        List<Stat.Block> blocks = new ArrayList<>();
        do {
            conditions.add(expressions.expression());
            cursor.expect("then");
            blocks.add(block());
        } while (cursor.accept("elseif"));
        if (cursor.accept("else")) {
            blocks.add(block());
        }
        cursor.expect("end");
        return new Stat.If(line, conditions, blocks);
    }

    private Stat forLoop(int line) {
        List<Variable> variables = new ArrayList<>();
        do {
            variables.add(new Variable(cursor.name()));
        } while (cursor.accept(","));
        boolean numeric = variables.size() == 1 && cursor.accept("=");
        if (!numeric) {
            cursor.expect("in");
        }
        List<Expr> sources = expressions.list();
        cursor.expect("do");
        cursor.openScope();
        variables.forEach(cursor::declare);
        Stat.Block body = block("end");
        cursor.closeScope();
        return numeric
                ? new Stat.NumericFor(line, variables.get(0), sources, body)
                : new Stat.GenericFor(line, variables, sources, body);
    }

    private Stat function(int line) {
        Expr target = expressions.name();
        boolean method = false;
        while (!method && (cursor.isNext(".") || cursor.isNext(":"))) {
            method = cursor.next().is(":");
            int keyLine = cursor.line();
            target = new Expr.Index(line, target, new Expr.Literal(keyLine, Expr.Type.STRING, cursor.name()));
        }
        return new Stat.Assign(line, List.of(target), List.of(expressions.function(line, method)));
    }

    private Stat local(int line) {
        if (cursor.accept("function")) {
            Variable variable = new Variable(cursor.name());
            cursor.declare(variable);
            return new Stat.LocalFunction(line, variable, expressions.function(line, false));
        }
        List<Variable> variables = new ArrayList<>();
        do {
            variables.add(new Variable(cursor.name()));
        } while (cursor.accept(","));
        List<Expr> values = cursor.accept("=") ? expressions.list() : List.of();
        variables.forEach(cursor::declare); // after the values: "local n = n" reads the outer one
        return new Stat.Local(line, variables, values);
    }
}
