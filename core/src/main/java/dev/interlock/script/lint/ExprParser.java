// SPDX-License-Identifier: Apache-2.0
package dev.interlock.script.lint;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** Parses expressions of Lua 5.1. */
final class ExprParser {
    /** How strongly an operator binds: to its left, to its right. */
    private record Priority(int left, int right) {}

    private static final Map<String, Priority> PRIORITIES = Map.ofEntries(
            Map.entry("or", new Priority(1, 1)),
            Map.entry("and", new Priority(2, 2)),
            Map.entry("<", new Priority(3, 3)),
            Map.entry(">", new Priority(3, 3)),
            Map.entry("<=", new Priority(3, 3)),
            Map.entry(">=", new Priority(3, 3)),
            Map.entry("~=", new Priority(3, 3)),
            Map.entry("==", new Priority(3, 3)),
            Map.entry("..", new Priority(5, 4)),
            Map.entry("+", new Priority(6, 6)),
            Map.entry("-", new Priority(6, 6)),
            Map.entry("*", new Priority(7, 7)),
            Map.entry("/", new Priority(7, 7)),
            Map.entry("%", new Priority(7, 7)),
            Map.entry("^", new Priority(10, 9)));
    private static final int UNARY = 8;

    private final Cursor cursor;
    private final StatParser statements;

    ExprParser(Cursor cursor, StatParser statements) {
        this.cursor = cursor;
        this.statements = statements;
    }

    /** {@code expression, expression, …}. */
    List<Expr> list() {
        List<Expr> all = new ArrayList<>();
        do {
            all.add(expression());
        } while (cursor.accept(","));
        return all;
    }

    Expr expression() {
        return expression(0);
    }

    private Expr expression(int limit) {
        cursor.enter();
        Expr left = operand();
        int chain = 0;
        while (true) {
            Token operator = cursor.peek();
            Priority priority = operator.kind() == Token.Kind.KEYWORD || operator.kind() == Token.Kind.SYMBOL
                    ? PRIORITIES.get(operator.text())
                    : null;
            if (priority == null || priority.left() <= limit) {
                cursor.leave();
                return left;
            }
            cursor.next();
            cursor.checkDepth(++chain);
            left = new Expr.Binary(operator.line(), operator.text(), left, expression(priority.right()));
        }
    }

    private Expr operand() {
        Token token = cursor.peek();
        if (token.is("not") || token.is("-") || token.is("#")) {
            cursor.next();
            return new Expr.Unary(token.line(), token.text(), expression(UNARY));
        }
        if (token.kind() == Token.Kind.NUMBER) {
            return literal(Expr.Type.NUMBER);
        }
        if (token.kind() == Token.Kind.STRING) {
            return literal(Expr.Type.STRING);
        }
        if (token.is("nil")) {
            return literal(Expr.Type.NIL);
        }
        if (token.is("true") || token.is("false")) {
            return literal(Expr.Type.BOOLEAN);
        }
        if (token.is("{")) {
            return table();
        }
        if (cursor.accept("...")) {
            return new Expr.Vararg(token.line());
        }
        if (cursor.accept("function")) {
            return function(token.line(), false);
        }
        return suffixed();
    }

    private Expr literal(Expr.Type type) {
        Token token = cursor.next();
        return new Expr.Literal(token.line(), type, token.text());
    }

    /** A name or parentheses, followed by any number of indices and calls. */
    Expr suffixed() {
        Token token = cursor.peek();
        Expr expr;
        if (cursor.accept("(")) {
            expr = expression();
            cursor.expect(")");
        } else {
            expr = name();
        }
        for (int chain = 1; ; chain++) {
            cursor.checkDepth(chain);
            if (cursor.accept(".")) {
                int line = cursor.line();
                expr = new Expr.Index(token.line(), expr, new Expr.Literal(line, Expr.Type.STRING, cursor.name()));
            } else if (cursor.accept("[")) {
                expr = new Expr.Index(token.line(), expr, expression());
                cursor.expect("]");
            } else if (cursor.accept(":")) {
                String method = cursor.name();
                expr = new Expr.Call(token.line(), expr, method, arguments());
            } else if (startsArguments()) {
                expr = new Expr.Call(token.line(), expr, null, arguments());
            } else {
                return expr;
            }
        }
    }

    Expr.Name name() {
        int line = cursor.line();
        String name = cursor.name();
        return new Expr.Name(line, name, cursor.find(name));
    }

    private boolean startsArguments() {
        return cursor.isNext("(") || cursor.isNext("{") || cursor.peek().kind() == Token.Kind.STRING;
    }

    private List<Expr> arguments() {
        if (cursor.peek().kind() == Token.Kind.STRING) {
            return List.of(literal(Expr.Type.STRING));
        }
        if (cursor.isNext("{")) {
            return List.of(table());
        }
        if (!cursor.accept("(")) {
            throw cursor.unexpected("arguments");
        }
        List<Expr> all = cursor.isNext(")") ? List.of() : list();
        cursor.expect(")");
        return all;
    }

    private Expr table() {
        int line = cursor.line();
        cursor.expect("{");
        cursor.enter();
        List<Expr.Field> fields = new ArrayList<>();
        while (!cursor.accept("}")) {
            fields.add(field());
            if (!cursor.accept(",") && !cursor.accept(";") && !cursor.isNext("}")) {
                throw cursor.unexpected("\"}\"");
            }
        }
        cursor.leave();
        return new Expr.Table(line, fields);
    }

    private Expr.Field field() {
        if (cursor.accept("[")) {
            Expr key = expression();
            cursor.expect("]");
            cursor.expect("=");
            return new Expr.Field(key, expression());
        }
        Expr first = expression();
        if (first instanceof Expr.Name name && cursor.accept("=")) {
            return new Expr.Field(new Expr.Literal(name.line(), Expr.Type.STRING, name.name()), expression());
        }
        return new Expr.Field(null, first);
    }

    /** {@code (parameters) body end}, after {@code function} and its name. */
    Expr.Function function(int line, boolean method) {
        cursor.enter();
        cursor.openScope();
        List<Variable> parameters = new ArrayList<>();
        if (method) {
            parameters.add(new Variable("self"));
        }
        cursor.expect("(");
        while (!cursor.isNext(")")) {
            if (cursor.accept("...")) {
                break;
            }
            parameters.add(new Variable(cursor.name()));
            if (!cursor.accept(",")) {
                break;
            }
        }
        cursor.expect(")");
        parameters.forEach(cursor::declare);
        Stat.Block body = statements.block("end");
        cursor.closeScope();
        cursor.leave();
        return new Expr.Function(line, parameters, body);
    }
}
