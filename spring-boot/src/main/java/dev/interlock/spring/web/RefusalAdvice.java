// SPDX-License-Identifier: Apache-2.0
package dev.interlock.spring.web;

import dev.interlock.limit.Decision;
import dev.interlock.spring.annotation.KeyReusedException;
import dev.interlock.spring.annotation.RateLimitedException;
import dev.interlock.spring.annotation.WorkInProgressException;
import dev.interlock.spring.web.Answer.Header;
import java.util.List;
import org.springframework.core.Ordered;
import org.springframework.core.annotation.Order;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.ExceptionHandler;
import org.springframework.web.bind.annotation.RestControllerAdvice;

/**
 * Answers requests whose annotated methods were refused as the filters would: 429 or 503 for a limit, 409 and 422 for
 * idempotency, as problem+json. Comes after all advice of the application, which may answer otherwise.
 */
@RestControllerAdvice
@Order(Ordered.LOWEST_PRECEDENCE)
public final class RefusalAdvice {
    @ExceptionHandler
    ResponseEntity<byte[]> limited(RateLimitedException refused) {
        Decision decision = refused.decision();
        if (decision.origin() == Decision.Origin.OUTAGE_POLICY) {
            return response(HttpLimits.unavailable());
        }
        boolean never = decision.retryAfter().equals(Decision.NEVER);
        Header retryAfter = new Header("Retry-After", Long.toString(RateLimitFields.retrySeconds(decision)));
        return response(HttpLimits.tooMany("", never ? List.of() : List.of(retryAfter)));
    }

    @ExceptionHandler
    ResponseEntity<byte[]> running(WorkInProgressException refused) {
        return response(IdempotentRequests.running(refused.retryAfter()));
    }

    @ExceptionHandler
    ResponseEntity<byte[]> reused(KeyReusedException refused) {
        return response(IdempotentRequests.reused());
    }

    private static ResponseEntity<byte[]> response(Answer answer) {
        ResponseEntity.BodyBuilder response = ResponseEntity.status(answer.status());
        answer.headers().forEach(header -> response.header(header.name(), header.value()));
        return response.body(answer.body());
    }
}
