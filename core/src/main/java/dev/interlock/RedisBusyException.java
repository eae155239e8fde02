// SPDX-License-Identifier: Apache-2.0
package dev.interlock;

import org.jspecify.annotations.Nullable;

/**
 * Redis answered BUSY: another script has been running for longer than its busy threshold, and this call surely did not
 * run. It is reported at once and not retried, so that callers do not pile up; end the running script with
 * {@link dev.interlock.script.Scripts#killRunning()} or wait for it.
 */
public final class RedisBusyException extends NotExecutedException {
    private static final long serialVersionUID = 1L;

    /**
     * Creates the exception.
     *
     * @param message what was not executed
     * @param cause the answer of Redis
     */
    public RedisBusyException(String message, @Nullable Throwable cause) {
        super(message, cause);
    }
}
