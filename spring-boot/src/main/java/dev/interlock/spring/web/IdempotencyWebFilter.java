// SPDX-License-Identifier: Apache-2.0
package dev.interlock.spring.web;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;
import org.reactivestreams.Publisher;
import org.springframework.core.io.buffer.DataBuffer;
import org.springframework.core.io.buffer.DataBufferLimitException;
import org.springframework.core.io.buffer.DataBufferUtils;
import org.springframework.http.HttpHeaders;
import org.springframework.http.HttpStatusCode;
import org.springframework.http.server.reactive.ServerHttpRequest;
import org.springframework.http.server.reactive.ServerHttpRequestDecorator;
import org.springframework.http.server.reactive.ServerHttpResponse;
import org.springframework.http.server.reactive.ServerHttpResponseDecorator;
import org.springframework.web.server.ServerWebExchange;
import org.springframework.web.server.WebFilter;
import org.springframework.web.server.WebFilterChain;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Schedulers;

/**
 * The {@code Idempotency-Key} header in WebFlux; see {@link IdempotentRequests}. A response is sent when it is kept. A client
 * that goes away does not stop work that has begun: it finds the response later.
 */
public final class IdempotencyWebFilter implements WebFilter {
    private final IdempotentRequests requests;

    /**
     * A filter.
     *
     * @param requests runs requests once
     */
    public IdempotencyWebFilter(IdempotentRequests requests) {
        this.requests = requests;
    }

    @Override
    public Mono<Void> filter(ServerWebExchange exchange, WebFilterChain chain) {
        return Exchanges.facts(exchange).flatMap(facts -> {
            IdempotentRequests.Plan plan = requests.plan(facts);
            Answer refusal = plan.refusal();
            String key = plan.key();
            if (refusal != null) {
                return Exchanges.send(refusal, exchange.getResponse());
            }
            return key == null ? chain.filter(exchange) : once(key, facts, exchange, chain);
        });
    }

    private Mono<Void> once(String key, RequestFacts facts, ServerWebExchange exchange, WebFilterChain chain) {
        ServerHttpRequest request = exchange.getRequest();
        boolean form = IdempotentRequests.isForm(facts.header(HttpHeaders.CONTENT_TYPE));
        Mono<byte[]> body = form
                ? exchange.getFormData().map(IdempotentRequests::form)
                : DataBufferUtils.join(request.getBody(), requests.maxBody())
                        .map(IdempotencyWebFilter::bytes)
                        .defaultIfEmpty(new byte[0]);
        return body.map(read -> read.length > requests.maxBody() ? tooLong() : read)
                .flatMap(read -> run(key, facts, read, form ? exchange : readable(exchange, read), chain))
                .onErrorResume(
                        DataBufferLimitException.class,
                        error -> Exchanges.send(IdempotentRequests.tooLong(), exchange.getResponse()));
    }

    private static byte[] tooLong() {
        throw new DataBufferLimitException("form");
    }

    private Mono<Void> run(
            String key, RequestFacts facts, byte[] body, ServerWebExchange exchange, WebFilterChain chain) {
        KeptResponse kept = new KeptResponse(exchange.getResponse());
        Mono<IdempotentRequests.Worked> work = chain.filter(
                        exchange.mutate().response(kept).build())
                .then(Mono.fromSupplier(kept::worked))
                .subscribeOn(Schedulers.parallel());
        String fingerprint = IdempotentRequests.fingerprint(facts, body);
        return Mono.deferContextual(context -> Mono.fromFuture(
                        () -> requests.run(
                                key,
                                fingerprint,
                                () -> work.contextWrite(context).toFuture()),
                        true))
                .publishOn(Schedulers.parallel())
                .flatMap(answer -> kept.made(answer) ? kept.send() : Exchanges.send(answer, exchange.getResponse()));
    }

    private static byte[] bytes(DataBuffer buffer) {
        byte[] bytes = new byte[buffer.readableByteCount()];
        buffer.read(bytes);
        DataBufferUtils.release(buffer);
        return bytes;
    }

    private static ServerWebExchange readable(ServerWebExchange exchange, byte[] body) {
        ServerHttpRequest request = new ServerHttpRequestDecorator(exchange.getRequest()) {
            @Override
            public Flux<DataBuffer> getBody() {
                return body.length == 0
                        ? Flux.empty()
                        : Flux.defer(() ->
                                Flux.just(exchange.getResponse().bufferFactory().wrap(body)));
            }
        };
        return exchange.mutate().request(request).build();
    }

    /** Collects a response instead of sending it. */
    private static final class KeptResponse extends ServerHttpResponseDecorator {
        /** Headers that filters before us set anew for each request. */
        private final Set<String> before = new TreeSet<>(String.CASE_INSENSITIVE_ORDER);

        private volatile byte[] body = new byte[0];
        private volatile @Nullable Answer answer;

        KeptResponse(ServerHttpResponse response) {
            super(response);
            before.addAll(response.getHeaders().headerNames());
        }

        @Override
        public Mono<Void> writeWith(Publisher<? extends DataBuffer> content) {
            return DataBufferUtils.join(Flux.from(content))
                    .doOnNext(joined -> body = bytes(joined))
                    .then();
        }

        @Override
        public Mono<Void> writeAndFlushWith(Publisher<? extends Publisher<? extends DataBuffer>> content) {
            return writeWith(Flux.from(content).concatMap(part -> part));
        }

        @Override
        public Mono<Void> setComplete() {
            return Mono.empty();
        }

        IdempotentRequests.Worked worked() {
            List<Answer.Header> headers = new ArrayList<>();
            getHeaders().forEach((name, values) -> {
                if (!before.contains(name) && IdempotentRequests.keeps(name)) {
                    values.forEach(value -> headers.add(new Answer.Header(name, value)));
                }
            });
            HttpStatusCode status = getStatusCode();
            Answer made = new Answer(status == null ? 200 : status.value(), headers, body);
            answer = made;
            return new IdempotentRequests.Worked(made, false);
        }

        boolean made(Answer given) {
            return given == answer;
        }

        Mono<Void> send() {
            byte[] content = body;
            getHeaders().setContentLength(content.length);
            return getDelegate().writeWith(Mono.just(bufferFactory().wrap(content)));
        }
    }
}
