// SPDX-License-Identifier: Apache-2.0
package dev.interlock;

import org.jspecify.annotations.Nullable;

/**
 * The call was sent and its reply is missing: it may have taken effect or not. Ask again with the same request id: the
 * first answer is returned again, and nothing happens twice.
 */
public final class OutcomeUnknownException extends InterlockException {
    private static final long serialVersionUID = 1L;

    /**
     * Creates the exception.
     *
     * @param message which call, how long it was waited for, and the mend
     * @param cause the failure below, or null
     */
    public OutcomeUnknownException(String message, @Nullable Throwable cause) {
        super(message, cause);
    }
}
