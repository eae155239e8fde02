// SPDX-License-Identifier: Apache-2.0
package dev.interlock.spring.web;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.Optional;
import org.springframework.core.io.buffer.DataBuffer;
import org.springframework.http.HttpStatusCode;
import org.springframework.http.server.reactive.ServerHttpRequest;
import org.springframework.http.server.reactive.ServerHttpResponse;
import org.springframework.web.server.ServerWebExchange;
import reactor.core.publisher.Mono;

/** Between WebFlux and what is decided. */
final class Exchanges {
    private Exchanges() {}

    static Mono<RequestFacts> facts(ServerWebExchange exchange) {
        return exchange.getPrincipal()
                .map(principal -> Optional.ofNullable(principal.getName()))
                .defaultIfEmpty(Optional.empty())
                .map(principal -> facts(exchange.getRequest(), principal));
    }

    private static RequestFacts facts(ServerHttpRequest request, Optional<String> principal) {
        InetSocketAddress remote = request.getRemoteAddress();
        InetAddress address = remote == null ? null : remote.getAddress();
        String query = request.getURI().getRawQuery();
        return new RequestFacts(
                request.getMethod().name(),
                request.getPath().value(),
                query == null ? "" : query,
                name -> request.getHeaders().getOrEmpty(name),
                principal.orElse(null),
                address == null ? "" : address.getHostAddress());
    }

    static Mono<Void> send(Answer answer, ServerHttpResponse response) {
        response.setStatusCode(HttpStatusCode.valueOf(answer.status()));
        answer.headers().forEach(header -> response.getHeaders().add(header.name(), header.value()));
        response.getHeaders().setContentLength(answer.body().length);
        DataBuffer body = response.bufferFactory().wrap(answer.body());
        return response.writeWith(Mono.just(body));
    }
}
