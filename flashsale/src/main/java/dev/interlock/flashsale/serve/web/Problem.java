// SPDX-License-Identifier: Apache-2.0
package dev.interlock.flashsale.serve.web;

import java.net.URI;
import java.util.Locale;
import org.springframework.http.HttpStatus;

/** Every kind of error that the service tells of, each with a type that never changes (RFC 9457). */
public enum Problem {
    /** The request breaks a rule. */
    INVALID(HttpStatus.BAD_REQUEST, "The request is not valid"),
    /** No or wrong credentials. */
    UNAUTHORIZED(HttpStatus.UNAUTHORIZED, "Log in first"),
    /** These credentials do not allow it, or it comes from another site. */
    FORBIDDEN(HttpStatus.FORBIDDEN, "This is not allowed"),
    /** There is no such thing. */
    NOT_FOUND(HttpStatus.NOT_FOUND, "There is no such thing"),
    /** The method does not go with the path. */
    METHOD_NOT_ALLOWED(HttpStatus.METHOD_NOT_ALLOWED, "The method does not go with this path"),
    /** No representation of the accepted types. */
    NOT_ACCEPTABLE(HttpStatus.NOT_ACCEPTABLE, "No such representation"),
    /** The body is too large. */
    TOO_LARGE(HttpStatus.CONTENT_TOO_LARGE, "The body is too large"),
    /** The body has another type than JSON. */
    UNSUPPORTED_MEDIA_TYPE(HttpStatus.UNSUPPORTED_MEDIA_TYPE, "The body must be JSON"),
    /** The user has a unit already. */
    ALREADY_ISSUED(HttpStatus.CONFLICT, "You have one already"),
    /** The state of things does not allow it. */
    CONFLICT(HttpStatus.CONFLICT, "The present state does not allow it"),
    /** The same request id came with other content. */
    REQUEST_ID_REUSED(HttpStatus.UNPROCESSABLE_CONTENT, "The Idempotency-Key was used for something else"),
    /** No unit is left. */
    SOLD_OUT(HttpStatus.GONE, "Sold out"),
    /** The sale is over. */
    CLOSED(HttpStatus.GONE, "The sale is over"),
    /** A hold has ended. */
    HOLD_ENDED(HttpStatus.GONE, "The hold has ended"),
    /** The sale has not begun. */
    NOT_OPEN(HttpStatus.TOO_EARLY, "The sale has not begun"),
    /** Too many requests of one user. */
    LIMITED(HttpStatus.TOO_MANY_REQUESTS, "Too many requests"),
    /** Surely nothing happened; come back later. */
    UNAVAILABLE(HttpStatus.SERVICE_UNAVAILABLE, "Not available for the moment"),
    /** The pool is being put right; nothing happened. */
    REBUILDING(HttpStatus.SERVICE_UNAVAILABLE, "The state is being put right"),
    /** It may have happened: ask again with the same Idempotency-Key. */
    OUTCOME_UNKNOWN(HttpStatus.SERVICE_UNAVAILABLE, "The outcome is not known"),
    /** A fault of the service. */
    INTERNAL(HttpStatus.INTERNAL_SERVER_ERROR, "The service failed");

    private final HttpStatus status;
    private final String title;
    private final URI type;

    Problem(HttpStatus status, String title) {
        this.status = status;
        this.title = title;
        type = URI.create("urn:interlock:problem:" + name().toLowerCase(Locale.ROOT).replace('_', '-'));
    }

    HttpStatus status() {
        return status;
    }

    String title() {
        return title;
    }

    URI type() {
        return type;
    }

    /** The kind that goes with a status code which Spring chose. */
    static Problem of(int statusCode) {
        for (Problem problem : values()) {
            if (problem.status.value() == statusCode) {
                return problem;
            }
        }
        return statusCode >= 500 ? INTERNAL : INVALID;
    }
}
