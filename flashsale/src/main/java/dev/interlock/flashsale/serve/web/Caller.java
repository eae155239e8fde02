// SPDX-License-Identifier: Apache-2.0
package dev.interlock.flashsale.serve.web;

import java.security.Principal;
import java.util.List;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.springframework.http.HttpHeaders;
import org.springframework.web.server.ServerWebExchange;
import reactor.core.publisher.Mono;

/**
 * Who asks, and by which request id. The user is the one that {@value #USER_HEADER} names. If users log in it must be the one
 * that did; otherwise, as in the demo, whatever is in front of the service vouches for the header.
 *
 * @param user 1 to 128 visible ASCII characters
 * @param requestId 1 to 128 visible ASCII characters
 */
public record Caller(String user, String requestId) {
    /** Header that names the user. */
    public static final String USER_HEADER = "X-User-Id";
    /** Header that names the request. */
    public static final String KEY_HEADER = "Idempotency-Key";

    private static final Pattern VISIBLE = Pattern.compile("[\\x21-\\x7E]{1,128}");

    /**
     * Reads and checks the headers.
     *
     * @param exchange the request
     * @return the caller; fails with a {@link RefusedException} if a header is missing, breaks a rule, or names another user
     *     than the one that has logged in
     */
    public static Mono<Caller> of(ServerWebExchange exchange) {
        return exchange.getPrincipal()
                .map(Principal::getName)
                .defaultIfEmpty("")
                .map(principal -> of(exchange.getRequest().getHeaders(), principal));
    }

    /**
     * Reads who the operator is that has logged in.
     *
     * @param exchange the request
     * @return the operator as the user, with the request id of the header; fails with a {@link RefusedException} if that is
     *     missing or breaks a rule
     */
    public static Mono<Caller> operator(ServerWebExchange exchange) {
        return exchange.getPrincipal()
                .map(principal -> new Caller(
                        principal.getName(), visible(KEY_HEADER, exchange.getRequest().getHeaders())))
                .switchIfEmpty(Mono.error(() -> new RefusedException(Problem.UNAUTHORIZED, "operators must log in")));
    }

    private static Caller of(HttpHeaders headers, String principal) {
        Caller caller = new Caller(visible(USER_HEADER, headers), visible(KEY_HEADER, headers));
        if (!principal.isEmpty()) {
            caller.ensureIs(principal);
        }
        return caller;
    }

    /**
     * Checks that a user named elsewhere in the request is the same.
     *
     * @param other the user, or null if none is named
     * @throws RefusedException if it is another
     */
    public void ensureIs(@Nullable String other) {
        if (other != null && !user.equals(other)) {
            throw new RefusedException(Problem.FORBIDDEN, "the request names another user than " + USER_HEADER);
        }
    }

    private static String visible(String header, HttpHeaders headers) {
        List<String> values = headers.getOrEmpty(header);
        if (values.size() != 1 || !VISIBLE.matcher(values.get(0)).matches()) {
            throw new RefusedException(
                    Problem.INVALID, header + " must be given once, with 1 to 128 visible ASCII characters");
        }
        return values.get(0);
    }
}
