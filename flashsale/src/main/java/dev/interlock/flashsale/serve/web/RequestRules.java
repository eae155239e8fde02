// SPDX-License-Identifier: Apache-2.0
package dev.interlock.flashsale.serve.web;

import org.jspecify.annotations.Nullable;
import org.springframework.core.Ordered;
import org.springframework.core.annotation.Order;
import org.springframework.http.HttpHeaders;
import org.springframework.http.HttpMethod;
import org.springframework.http.server.reactive.ServerHttpRequest;
import org.springframework.stereotype.Component;
import org.springframework.web.server.ServerWebExchange;
import org.springframework.web.server.WebFilter;
import org.springframework.web.server.WebFilterChain;
import reactor.core.publisher.Mono;

/**
 * Refuses, before anything else looks at it, a request with very many parameters, and one that another site makes a browser
 * send with the operator's credentials.
 */
@Component
@Order(Ordered.HIGHEST_PRECEDENCE)
final class RequestRules implements WebFilter {
    private static final int MAX_PARAMETERS = 50;

    @Override
    public Mono<Void> filter(ServerWebExchange exchange, WebFilterChain chain) {
        ServerHttpRequest request = exchange.getRequest();
        String query = request.getURI().getRawQuery();
        if (query != null && query.chars().filter(c -> c == '&').count() >= MAX_PARAMETERS) {
            return refused(Problem.INVALID, "at most " + MAX_PARAMETERS + " query parameters are read");
        }
        if (changes(request.getMethod()) && fromAnotherSite(request.getHeaders())) {
            return refused(Problem.FORBIDDEN, "another site may not do this");
        }
        return chain.filter(exchange);
    }

    private static boolean changes(HttpMethod method) {
        return !HttpMethod.GET.equals(method)
                && !HttpMethod.HEAD.equals(method)
                && !HttpMethod.OPTIONS.equals(method)
                && !HttpMethod.TRACE.equals(method);
    }

    /** Browsers tell by Sec-Fetch-Site, older ones by Origin; other clients send neither. */
    private static boolean fromAnotherSite(HttpHeaders headers) {
        String site = headers.getFirst("Sec-Fetch-Site");
        if (site != null) {
            return !site.equals("same-origin") && !site.equals("none");
        }
        String origin = headers.getOrigin();
        return origin != null && !sameHost(origin, headers.getFirst(HttpHeaders.HOST));
    }

    private static boolean sameHost(String origin, @Nullable String host) {
        return host != null && (origin.equals("http://" + host) || origin.equals("https://" + host));
    }

    private static Mono<Void> refused(Problem problem, String detail) {
        return Mono.error(new RefusedException(problem, detail));
    }
}
