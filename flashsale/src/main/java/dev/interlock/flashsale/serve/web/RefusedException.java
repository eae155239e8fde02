// SPDX-License-Identifier: Apache-2.0
package dev.interlock.flashsale.serve.web;

import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import org.springframework.http.HttpHeaders;

/** Ends a request with a problem. Has no stack trace: it is an answer, not a fault. */
public final class RefusedException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    private final Problem problem;
    private final transient Map<String, Object> properties = new LinkedHashMap<>();
    private final transient HttpHeaders headers = new HttpHeaders();

    /**
     * An answer.
     *
     * @param problem its kind
     * @param detail what is wrong with this request, in a sentence for its sender
     */
    public RefusedException(Problem problem, String detail) {
        super(detail, null, false, false);
        this.problem = problem;
    }

    /**
     * The same, telling more.
     *
     * @param name name of a property of the problem
     * @param value its value
     * @return this
     */
    public RefusedException with(String name, Object value) {
        properties.put(name, value);
        return this;
    }

    /**
     * The same with a header.
     *
     * @param name its name
     * @param value its value
     * @return this
     */
    public RefusedException header(String name, String value) {
        headers.set(name, value);
        return this;
    }

    /**
     * The same, telling when to come back.
     *
     * @param wait how long; told in whole seconds, rounded up, at least 1
     * @return this
     */
    public RefusedException retryAfter(Duration wait) {
        return header(HttpHeaders.RETRY_AFTER, Long.toString(seconds(wait)));
    }

    /** Whole seconds, rounded up, at least 1. */
    static long seconds(Duration wait) {
        return Math.max(1, wait.plusNanos(999_999_999).toSeconds());
    }

    /**
     * What it tells.
     *
     * @return its kind
     */
    public Problem problem() {
        return problem;
    }

    Map<String, Object> properties() {
        return properties;
    }

    HttpHeaders headers() {
        return headers;
    }
}
