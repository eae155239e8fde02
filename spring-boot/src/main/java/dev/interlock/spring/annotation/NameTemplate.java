// SPDX-License-Identifier: Apache-2.0
package dev.interlock.spring.annotation;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.springframework.expression.EvaluationContext;
import org.springframework.expression.EvaluationException;
import org.springframework.expression.Expression;
import org.springframework.expression.ParseException;
import org.springframework.expression.common.CompositeStringExpression;
import org.springframework.expression.common.LiteralExpression;
import org.springframework.expression.common.TemplateParserContext;
import org.springframework.expression.spel.SpelNode;
import org.springframework.expression.spel.ast.BooleanLiteral;
import org.springframework.expression.spel.ast.CompoundExpression;
import org.springframework.expression.spel.ast.Elvis;
import org.springframework.expression.spel.ast.Indexer;
import org.springframework.expression.spel.ast.IntLiteral;
import org.springframework.expression.spel.ast.LongLiteral;
import org.springframework.expression.spel.ast.NullLiteral;
import org.springframework.expression.spel.ast.OpAnd;
import org.springframework.expression.spel.ast.OpEQ;
import org.springframework.expression.spel.ast.OpGE;
import org.springframework.expression.spel.ast.OpGT;
import org.springframework.expression.spel.ast.OpLE;
import org.springframework.expression.spel.ast.OpLT;
import org.springframework.expression.spel.ast.OpNE;
import org.springframework.expression.spel.ast.OpOr;
import org.springframework.expression.spel.ast.OpPlus;
import org.springframework.expression.spel.ast.OperatorNot;
import org.springframework.expression.spel.ast.PropertyOrFieldReference;
import org.springframework.expression.spel.ast.StringLiteral;
import org.springframework.expression.spel.ast.Ternary;
import org.springframework.expression.spel.ast.VariableReference;
import org.springframework.expression.spel.standard.SpelExpression;
import org.springframework.expression.spel.standard.SpelExpressionParser;
import org.springframework.expression.spel.support.SimpleEvaluationContext;

/**
 * A text with expressions over the parameters of a method, parsed and checked once. What an expression may hold is listed
 * here; whatever is not listed is refused when the application starts, and the context in which it is evaluated knows no
 * types, methods, constructors or beans anyway. Thread-safe.
 */
final class NameTemplate {
    static final int MAX_LENGTH = 512;

    private static final Set<Class<?>> ALLOWED = Set.of(
            VariableReference.class,
            PropertyOrFieldReference.class,
            CompoundExpression.class,
            Indexer.class,
            StringLiteral.class,
            IntLiteral.class,
            LongLiteral.class,
            BooleanLiteral.class,
            NullLiteral.class,
            Elvis.class,
            Ternary.class,
            OpPlus.class,
            OpEQ.class,
            OpNE.class,
            OpLT.class,
            OpLE.class,
            OpGT.class,
            OpGE.class,
            OpAnd.class,
            OpOr.class,
            OperatorNot.class);

    private final String what;
    private final List<String> parameters;
    private final List<Expression> parts;
    /** Characters that values may not show as they are, because they part the values; empty for a single one. */
    private final String separators;

    private NameTemplate(String what, List<String> parameters, List<Expression> parts, String separators) {
        this.what = what;
        this.parameters = parameters;
        this.parts = parts;
        this.separators = separators;
    }

    /**
     * Parses and checks a template.
     *
     * @param what whose it is, for messages
     * @param text the template
     * @param parameters names of the parameters; empty if they are not known
     * @throws IllegalArgumentException if it breaks a rule
     */
    static NameTemplate parse(String what, String text, List<String> parameters) {
        if (text.isBlank() || text.length() > MAX_LENGTH) {
            throw new IllegalArgumentException(what + " must have 1 to " + MAX_LENGTH + " characters but has "
                    + text.strip().length());
        }
        Expression expression;
        try {
            expression = new SpelExpressionParser().parseExpression(text, new TemplateParserContext());
        } catch (ParseException | IllegalStateException e) {
            throw new IllegalArgumentException(what + " is no template: " + e.getMessage(), e);
        }
        List<Expression> parts = expression instanceof CompositeStringExpression composite
                ? Arrays.asList(composite.getExpressions())
                : List.of(expression);
        for (Expression part : parts) {
            if (part instanceof SpelExpression spel) {
                check(what, spel.getAST(), null, parameters);
            }
        }
        return new NameTemplate(what, parameters, parts, separators(what, parts));
    }

    private static void check(String what, SpelNode node, @Nullable SpelNode parent, List<String> parameters) {
        if (!ALLOWED.contains(node.getClass())) {
            throw new IllegalArgumentException(what + " may hold parameters and their properties, but no "
                    + node.getClass().getSimpleName() + ": " + node.toStringAST());
        }
        if (node instanceof VariableReference
                && !parameters.contains(node.toStringAST().substring(1))) {
            throw new IllegalArgumentException(what + " names " + node.toStringAST() + ", but the parameters are "
                    + parameters + " (none are known of a class that was compiled without -parameters)");
        }
        boolean ofSomething =
                parent instanceof Indexer || (parent instanceof CompoundExpression && parent.getChild(0) != node);
        if (node instanceof PropertyOrFieldReference && !ofSomething) {
            throw new IllegalArgumentException(
                    what + " says " + node.toStringAST() + ": a parameter is written #" + node.toStringAST());
        }
        for (int i = 0; i < node.getChildCount(); i++) {
            check(what, node.getChild(i), node, parameters);
        }
    }

    private static String separators(String what, List<Expression> parts) {
        List<Integer> values = new ArrayList<>();
        for (int i = 0; i < parts.size(); i++) {
            if (parts.get(i) instanceof SpelExpression) {
                values.add(i);
            }
        }
        StringBuilder separators = new StringBuilder();
        for (int i = 1; i < values.size(); i++) {
            if (values.get(i) == values.get(i - 1) + 1) {
                throw new IllegalArgumentException(what + " has two expressions side by side: part them, as in"
                        + " #{#a}:#{#b}, so that different values give different names");
            }
            separators.append(parts.get(values.get(i) - 1).getExpressionString());
        }
        return separators.isEmpty() ? "" : separators.append('%').toString();
    }

    /** The text, if it is the same for every call. */
    Optional<String> literal() {
        return parts.size() == 1 && parts.get(0) instanceof LiteralExpression literal
                ? Optional.of(literal.getExpressionString())
                : Optional.empty();
    }

    /**
     * The text for one call.
     *
     * @param args its arguments
     * @return the text, never empty; the rules of names are checked by what takes it
     * @throws IllegalArgumentException if a value is null, empty or of another type than allowed, or cannot be got
     */
    String resolve(@Nullable Object[] args) {
        EvaluationContext context =
                SimpleEvaluationContext.forReadOnlyDataBinding().build();
        for (int i = 0; i < parameters.size() && i < args.length; i++) {
            context.setVariable(parameters.get(i), args[i]);
        }
        StringBuilder text = new StringBuilder();
        for (Expression part : parts) {
            text.append(part instanceof SpelExpression ? value(part, context) : part.getExpressionString());
        }
        return text.toString();
    }

    private String value(Expression part, EvaluationContext context) {
        Object value;
        try {
            value = part.getValue(context);
        } catch (EvaluationException e) {
            throw new IllegalArgumentException(what + " has no value for #{" + part.getExpressionString() + "}", e);
        }
        if (value == null) {
            throw new IllegalArgumentException(what + ": #{" + part.getExpressionString() + "} is null");
        }
        if (!(value instanceof CharSequence
                || value instanceof Number
                || value instanceof Enum<?>
                || value instanceof UUID)) {
            throw new IllegalArgumentException(what + ": #{" + part.getExpressionString()
                    + "} must be text, a number, an enum constant or a UUID but is a "
                    + value.getClass().getName());
        }
        String text = value instanceof Enum<?> constant ? constant.name() : value.toString();
        if (text.isEmpty()) {
            throw new IllegalArgumentException(what + ": #{" + part.getExpressionString() + "} is empty");
        }
        return separators.isEmpty() ? text : encoded(text);
    }

    private String encoded(String text) {
        StringBuilder encoded = new StringBuilder(text.length());
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            if (separators.indexOf(c) >= 0) {
                encoded.append('%').append(Integer.toHexString(0x10000 | c).substring(1));
            } else {
                encoded.append(c);
            }
        }
        return encoded.toString();
    }
}
