// SPDX-License-Identifier: Apache-2.0
package dev.interlock.spring.web;

import java.util.concurrent.CompletableFuture;
import org.springframework.web.server.ServerWebExchange;
import org.springframework.web.server.WebFilter;
import org.springframework.web.server.WebFilterChain;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Schedulers;

/**
 * Lets {@link HttpLimits} judge each request of a WebFlux application. A request that had to wait for Redis goes on on
 * Reactor's parallel scheduler, so that no I/O thread of Redis is held up.
 */
public final class RateLimitWebFilter implements WebFilter {
    private final HttpLimits limits;

    /**
     * A filter.
     *
     * @param limits judges
     */
    public RateLimitWebFilter(HttpLimits limits) {
        this.limits = limits;
    }

    @Override
    public Mono<Void> filter(ServerWebExchange exchange, WebFilterChain chain) {
        return Exchanges.facts(exchange)
                .flatMap(facts -> {
                    CompletableFuture<HttpLimits.Verdict> judged = limits.judge(facts);
                    return judged.isDone()
                            ? Mono.just(judged.join())
                            : Mono.fromFuture(judged).publishOn(Schedulers.parallel());
                })
                .flatMap(verdict -> {
                    Answer refusal = verdict.refusal();
                    if (refusal != null) {
                        return Exchanges.send(refusal, exchange.getResponse());
                    }
                    verdict.headers()
                            .forEach(header ->
                                    exchange.getResponse().getHeaders().set(header.name(), header.value()));
                    return chain.filter(exchange);
                });
    }
}
