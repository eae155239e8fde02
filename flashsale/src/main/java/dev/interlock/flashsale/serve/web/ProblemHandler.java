// SPDX-License-Identifier: Apache-2.0
package dev.interlock.flashsale.serve.web;

import dev.interlock.BackPressureException;
import dev.interlock.InterlockException;
import dev.interlock.NotExecutedException;
import dev.interlock.OutcomeUnknownException;
import dev.interlock.RedisBusyException;
import dev.interlock.RequestConflictException;
import dev.interlock.lock.LeaseLostException;
import dev.interlock.lock.LockTimeoutException;
import io.netty.handler.timeout.TimeoutException;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.RejectedExecutionException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.core.annotation.Order;
import org.springframework.core.codec.DecodingException;
import org.springframework.core.io.buffer.DataBuffer;
import org.springframework.core.io.buffer.DataBufferLimitException;
import org.springframework.dao.DataAccessException;
import org.springframework.http.HttpHeaders;
import org.springframework.http.HttpMethod;
import org.springframework.http.MediaType;
import org.springframework.http.server.reactive.ServerHttpResponse;
import org.springframework.stereotype.Component;
import org.springframework.transaction.TransactionException;
import org.springframework.web.ErrorResponse;
import org.springframework.web.server.ServerWebExchange;
import org.springframework.web.server.WebExceptionHandler;
import reactor.core.publisher.Mono;
import tools.jackson.databind.json.JsonMapper;

/** Turns everything that ends a request into a problem detail: {@code application/problem+json}, no stack trace. */
@Component
@Order(-2)
final class ProblemHandler implements WebExceptionHandler {
    private static final Logger log = LoggerFactory.getLogger(ProblemHandler.class);
    private static final Duration SOON = Duration.ofSeconds(1);
    private static final int MAX_DETAIL = 256;

    private final JsonMapper json;

    ProblemHandler(JsonMapper json) {
        this.json = json;
    }

    @Override
    public Mono<Void> handle(ServerWebExchange exchange, Throwable error) {
        ServerHttpResponse response = exchange.getResponse();
        if (response.isCommitted()) {
            return Mono.error(error);
        }
        RefusedException refused = refused(error);
        response.setStatusCode(refused.problem().status());
        HttpHeaders headers = response.getHeaders();
        refused.headers().forEach(headers::addAll);
        headers.setContentType(MediaType.APPLICATION_PROBLEM_JSON);
        if (HttpMethod.HEAD.equals(exchange.getRequest().getMethod())) {
            return response.setComplete();
        }
        byte[] body = json.writeValueAsBytes(detail(refused));
        headers.setContentLength(body.length);
        DataBuffer buffer = response.bufferFactory().wrap(body);
        return response.writeWith(Mono.just(buffer));
    }

    private static Map<String, Object> detail(RefusedException refused) {
        Problem problem = refused.problem();
        Map<String, Object> detail = new LinkedHashMap<>();
        detail.put("type", problem.type().toString());
        detail.put("title", problem.title());
        detail.put("status", problem.status().value());
        detail.put("detail", String.valueOf(refused.getMessage()));
        detail.putAll(refused.properties());
        return detail;
    }

    private static RefusedException refused(Throwable error) {
        if (error instanceof RefusedException refused) {
            return refused;
        }
        if (has(error, DataBufferLimitException.class)) {
            return new RefusedException(Problem.TOO_LARGE, "send at most " + WebSettings.MAX_BODY_BYTES + " bytes");
        }
        if (has(error, TimeoutException.class)) {
            return new RefusedException(Problem.TIMEOUT, "the body did not come in time");
        }
        if (error instanceof ErrorResponse response) {
            return spring(response);
        }
        if (has(error, DecodingException.class)) {
            return new RefusedException(Problem.INVALID, "the body cannot be read");
        }
        return failure(error);
    }

    private static RefusedException spring(ErrorResponse response) {
        String text = response.getBody().getDetail();
        String detail = text == null || text.isBlank() ? "the request is refused" : shortened(text);
        RefusedException refused =
                new RefusedException(Problem.of(response.getStatusCode().value()), detail);
        response.getHeaders().forEach((name, values) -> refused.header(name, String.join(", ", values)));
        return refused;
    }

    private static String shortened(String text) {
        return text.length() <= MAX_DETAIL ? text : text.substring(0, MAX_DETAIL) + "…";
    }

    /** What Redis, the database or the service itself could not do. */
    private static RefusedException failure(Throwable error) {
        if (error instanceof OutcomeUnknownException) {
            return new RefusedException(
                            Problem.OUTCOME_UNKNOWN, "ask again with the same Idempotency-Key to learn what happened")
                    .retryAfter(SOON);
        }
        if (error instanceof RequestConflictException) {
            return new RefusedException(Problem.REQUEST_ID_REUSED, "the first result is kept; take a new key");
        }
        if (error instanceof LockTimeoutException || error instanceof LeaseLostException) {
            return new RefusedException(Problem.UNAVAILABLE, "others are at it; nothing was changed").retryAfter(SOON);
        }
        if (error instanceof NotExecutedException
                || error instanceof BackPressureException
                || error instanceof RedisBusyException
                || error instanceof RejectedExecutionException) {
            return new RefusedException(Problem.UNAVAILABLE, "nothing was changed").retryAfter(SOON);
        }
        if (error instanceof DataAccessException || error instanceof TransactionException) {
            log.warn("the database did not serve a request: {}", rootMessage(error));
            return new RefusedException(Problem.UNAVAILABLE, "the database does not answer").retryAfter(SOON);
        }
        if (error instanceof InterlockException) {
            log.error("Redis holds what it should not: {}", error.getMessage());
            return new RefusedException(Problem.UNAVAILABLE, "the state must be put right by an operator")
                    .retryAfter(Duration.ofSeconds(30));
        }
        log.error("a request failed", error);
        return new RefusedException(Problem.INTERNAL, "the failure was logged");
    }

    private static boolean has(Throwable error, Class<? extends Throwable> type) {
        Throwable at = error;
        while (at != null && !type.isInstance(at)) {
            at = at.getCause();
        }
        return at != null;
    }

    private static @Nullable String rootMessage(Throwable error) {
        Throwable at = error;
        while (at.getCause() != null) {
            at = Objects.requireNonNull(at.getCause());
        }
        return at.getMessage();
    }
}
