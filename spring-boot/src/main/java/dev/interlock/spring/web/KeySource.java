// SPDX-License-Identifier: Apache-2.0
package dev.interlock.spring.web;

import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.springframework.web.util.pattern.PathPattern;

/**
 * Whose limit a request counts for. Keys of different kinds are apart. The principal is the verified one: the filters stand
 * behind authentication.
 *
 * @param kind which part of the request
 * @param name of the header or the path variable; empty for others
 * @param addresses finds the client's address
 */
record KeySource(Kind kind, String name, ClientAddresses addresses) {
    enum Kind {
        HEADER,
        PRINCIPAL,
        ADDRESS,
        PATH
    }

    /**
     * As it is configured.
     *
     * @throws IllegalArgumentException if it has another form or names no variable of the path; the message names the
     *     property
     */
    static KeySource of(String property, String text, PathPattern pattern, ClientAddresses addresses) {
        if (text.equals("principal")) {
            return new KeySource(Kind.PRINCIPAL, "", addresses);
        }
        if (text.equals("client-address")) {
            return new KeySource(Kind.ADDRESS, "", addresses);
        }
        if (text.matches("header:[!#$%&'*+.^_`|~0-9A-Za-z-]{1,64}")) {
            return new KeySource(Kind.HEADER, text.substring("header:".length()), addresses);
        }
        if (text.startsWith("path:")) {
            String variable = text.substring("path:".length());
            String shown = pattern.getPatternString();
            if (shown.matches("(?s).*\\{\\*?\\Q" + variable.replace("\\E", "") + "\\E(:.*)?}.*")) {
                return new KeySource(Kind.PATH, variable, addresses);
            }
            throw new IllegalArgumentException(
                    property + " names the path variable " + variable + ", which " + shown + " does not have");
        }
        throw new IllegalArgumentException(
                property + " must be header:NAME, principal, client-address or path:VARIABLE but is " + text);
    }

    /** The key; never empty. What cannot be a name is refused by the limiter. */
    String key(RequestFacts request, Map<String, String> variables) {
        @Nullable
        String value = switch (kind) {
            case HEADER -> request.header(name);
            case PRINCIPAL -> request.principal();
            case PATH -> variables.get(name);
            case ADDRESS -> null;
        };
        // Who leaves the header out, or is not known, must not be free of the limit.
        return value == null || value.isEmpty()
                ? "address:" + addresses.of(request)
                : kind.name().toLowerCase(java.util.Locale.ROOT) + ":" + value;
    }
}
