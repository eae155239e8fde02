// SPDX-License-Identifier: Apache-2.0
package dev.interlock.spring.annotation;

import dev.interlock.limit.Decision;

/** A call of a {@link RateLimited} method was denied; the method did not run and nothing was taken. */
public final class RateLimitedException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    private final String limiter;
    private final transient Decision decision;

    RateLimitedException(String limiter, Decision decision) {
        super("limiter " + limiter + " denied the call: " + decision);
        this.limiter = limiter;
        this.decision = decision;
    }

    /**
     * Which limiter denied.
     *
     * @return its name
     */
    public String limiter() {
        return limiter;
    }

    /**
     * The decision, with the time after which the call would be allowed.
     *
     * @return the decision; null in a copy that was serialised
     */
    public Decision decision() {
        return decision;
    }
}
