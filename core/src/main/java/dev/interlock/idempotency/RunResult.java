// SPDX-License-Identifier: Apache-2.0
package dev.interlock.idempotency;

import java.time.Duration;

/**
 * What {@link Idempotency#run(String, String, java.util.function.Supplier)} came to.
 *
 * @param <T> type of the response
 */
public sealed interface RunResult<T> {
    /**
     * This call did the work, and its response is stored.
     *
     * @param response what the work gave
     */
    record Completed<T>(T response) implements RunResult<T> {}

    /**
     * The work was done before; this call did nothing. In HTTP the stored response.
     *
     * @param response what it gave then
     */
    record Replayed<T>(T response) implements RunResult<T> {}

    /**
     * Another call is doing the work, or has died within its lease; this call did nothing. In HTTP 409.
     *
     * @param retryAfter when that call's lease ends unless it is renewed; at least 1 ms
     */
    record InProgress<T>(Duration retryAfter) implements RunResult<T> {}

    /** The key was used with another fingerprint; this call did nothing. In HTTP 422. */
    record Mismatch<T>() implements RunResult<T> {}

    /**
     * This call did the work, but its lease had ended and another call has taken the key since, or the record is gone. So its
     * response was not stored, and the work may be done twice. It happens if this process stands still, or cannot reach
     * Redis, for longer than the lease.
     *
     * @param response what the work gave, which no later call will see
     */
    record Superseded<T>(T response) implements RunResult<T> {}
}
