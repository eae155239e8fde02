// SPDX-License-Identifier: Apache-2.0
package dev.interlock.spring.annotation;

import java.time.Duration;

/**
 * A call of an {@link Idempotent} method was refused because another with the same key is running, or has died within its
 * lease; the method did not run. In HTTP 409.
 */
public final class WorkInProgressException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    private final Duration retryAfter;

    WorkInProgressException(String name, Duration retryAfter) {
        super("another call of " + name + " with this key is running, or has died within its lease");
        this.retryAfter = retryAfter;
    }

    /**
     * When the lease of the other call ends unless it is prolonged.
     *
     * @return at least 1 ms
     */
    public Duration retryAfter() {
        return retryAfter;
    }
}
