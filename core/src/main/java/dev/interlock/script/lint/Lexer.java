// SPDX-License-Identifier: Apache-2.0
package dev.interlock.script.lint;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/** Cuts a Lua 5.1 source into words, without comments and the {@code #!} line. */
final class Lexer {
    private static final Set<String> KEYWORDS = Set.of(
            "and",
            "break",
            "do",
            "else",
            "elseif",
            "end",
            "false",
            "for",
            "function",
            "if",
            "in",
            "local",
            "nil",
            "not",
            "or",
            "repeat",
            "return",
            "then",
            "true",
            "until",
            "while");
    /** Longest first. */
    private static final List<String> SYMBOLS = List.of(
            "...", "..", "==", "~=", "<=", ">=", "+", "-", "*", "/", "%", "^", "#", "<", ">", "=", "(", ")", "{", "}",
            "[", "]", ";", ":", ",", ".");

    private final String source;
    private final List<Token> tokens = new ArrayList<>();
    private int at;
    private int line = 1;

    private Lexer(String source) {
        this.source = source;
    }

    /** The words of a source, the last one of kind END. */
    static List<Token> tokens(String source) {
        Lexer lexer = new Lexer(source);
        lexer.run();
        return lexer.tokens;
    }

    private void run() {
        if (source.startsWith("#")) {
            skipLine();
        }
        while (at < source.length()) {
            char c = source.charAt(at);
            if (c == '\n') {
                line++;
                at++;
            } else if (Character.isWhitespace(c)) {
                at++;
            } else if (source.startsWith("--", at)) {
                comment();
            } else {
                word(c);
            }
        }
        add(Token.Kind.END, "the end of the file", line);
    }

    private void comment() {
        at += 2;
        int level = longBracketLevel();
        if (level >= 0) {
            longBracket(level, "comment");
        } else {
            skipLine();
        }
    }

    private void skipLine() {
        int end = source.indexOf('\n', at);
        at = end < 0 ? source.length() : end;
    }

    private void word(char c) {
        int start = at;
        int startLine = line;
        if (isNameStart(c)) {
            while (at < source.length() && isNamePart(source.charAt(at))) {
                at++;
            }
            String name = source.substring(start, at);
            add(KEYWORDS.contains(name) ? Token.Kind.KEYWORD : Token.Kind.NAME, name, startLine);
        } else if (isDigit(c) || (c == '.' && at + 1 < source.length() && isDigit(source.charAt(at + 1)))) {
            number();
            add(Token.Kind.NUMBER, source.substring(start, at), startLine);
        } else if (c == '"' || c == '\'') {
            add(Token.Kind.STRING, quoted(c), startLine);
        } else if (longBracketLevel() >= 0) {
            add(Token.Kind.STRING, longBracket(longBracketLevel(), "string"), startLine);
        } else {
            add(Token.Kind.SYMBOL, symbol(), startLine);
        }
    }

    private void number() {
        while (at < source.length()) {
            char c = source.charAt(at);
            boolean sign = (c == '+' || c == '-') && "eE".indexOf(source.charAt(at - 1)) >= 0;
            if (!isNamePart(c) && c != '.' && !sign) {
                return;
            }
            at++;
        }
    }

    private String quoted(char quote) {
        StringBuilder text = new StringBuilder();
        at++;
        while (at < source.length() && source.charAt(at) != '\n') {
            char c = source.charAt(at++);
            if (c == quote) {
                return text.toString();
            }
            text.append(c == '\\' ? escaped() : c);
        }
        throw new SyntaxException(line, "a string does not end on its line");
    }

    private char escaped() {
        if (at >= source.length()) {
            throw new SyntaxException(line, "a string does not end");
        }
        int code = 0;
        int digits = 0;
        while (digits < 3 && at < source.length() && isDigit(source.charAt(at))) {
            code = code * 10 + source.charAt(at++) - '0';
            digits++;
        }
        if (digits > 0) {
            return (char) code;
        }
        char c = source.charAt(at++);
        if (c == '\n') {
            line++;
        }
        int control = "abfnrtv".indexOf(c);
        return control < 0 ? c : "\u0007\b\f\n\r\t\u000b".charAt(control);
    }

    /** How many {@code =} stand in the {@code [==[} here; -1 if there is none. */
    private int longBracketLevel() {
        if (at >= source.length() || source.charAt(at) != '[') {
            return -1;
        }
        int next = at + 1;
        while (next < source.length() && source.charAt(next) == '=') {
            next++;
        }
        return next < source.length() && source.charAt(next) == '[' ? next - at - 1 : -1;
    }

    private String longBracket(int level, String what) {
        int start = at + level + 2;
        int end = source.indexOf("]" + "=".repeat(level) + "]", start);
        if (end < 0) {
            throw new SyntaxException(line, "a long " + what + " does not end");
        }
        String text = source.substring(start, end);
        line += (int) text.chars().filter(c -> c == '\n').count();
        at = end + level + 2;
        return text;
    }

    private String symbol() {
        for (String symbol : SYMBOLS) {
            if (source.startsWith(symbol, at)) {
                at += symbol.length();
                return symbol;
            }
        }
        throw new SyntaxException(line, "unexpected character " + source.charAt(at));
    }

    private void add(Token.Kind kind, String text, int startLine) {
        tokens.add(new Token(kind, text, startLine));
    }

    private static boolean isDigit(char c) {
        return c >= '0' && c <= '9';
    }

    private static boolean isNameStart(char c) {
        return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
    }

    private static boolean isNamePart(char c) {
        return isNameStart(c) || isDigit(c);
    }
}
