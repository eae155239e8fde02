// SPDX-License-Identifier: Apache-2.0
package dev.interlock.script.lint;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Where a parser is: the next word, the locals in sight, and how deep it is. */
final class Cursor {
    /** What Lua itself allows (LUAI_MAXCCALLS). Keeps our own stack small as well. */
    private static final int MAX_DEPTH = 200;

    private final List<Token> tokens;
    private final Deque<Map<String, Variable>> scopes = new ArrayDeque<>();
    private int at;
    private int depth;

    Cursor(List<Token> tokens) {
        this.tokens = tokens;
    }

    Token peek() {
        return tokens.get(at);
    }

    int line() {
        return peek().line();
    }

    Token next() {
        Token token = peek();
        if (token.kind() != Token.Kind.END) {
            at++;
        }
        return token;
    }

    boolean isNext(String word) {
        return peek().is(word);
    }

    /** Takes the next word if it is this one. */
    boolean accept(String word) {
        boolean found = isNext(word);
        if (found) {
            at++;
        }
        return found;
    }

    void expect(String word) {
        if (!accept(word)) {
            throw unexpected("\"" + word + "\"");
        }
    }

    String name() {
        if (peek().kind() != Token.Kind.NAME) {
            throw unexpected("a name");
        }
        return next().text();
    }

    SyntaxException unexpected(String wanted) {
        return new SyntaxException(line(), "expected " + wanted + ", found " + peek().text());
    }

    void openScope() {
        scopes.push(new HashMap<>());
    }

    void closeScope() {
        scopes.pop();
    }

    void declare(Variable variable) {
        scopes.element().put(variable.name(), variable);
    }

    /** The local of this name in sight, if any. */
    @Nullable
    Variable find(String name) {
        for (Map<String, Variable> scope : scopes) {
            Variable found = scope.get(name);
            if (found != null) {
                return found;
            }
        }
        return null;
    }

    void enter() {
        checkDepth(++depth);
    }

    void leave() {
        depth--;
    }

    /** Refuses what is deeper than {@link #MAX_DEPTH}. */
    void checkDepth(int levels) {
        if (levels > MAX_DEPTH) {
            throw new SyntaxException(line(), "more than " + MAX_DEPTH + " levels of nesting");
        }
    }
}
