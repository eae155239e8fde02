// SPDX-License-Identifier: Apache-2.0
package dev.interlock;

import org.jspecify.annotations.Nullable;

/**
 * A decision that could not be made. Subclasses tell apart what a caller must know before trying again:
 * {@link NotExecutedException} (surely nothing happened), {@link OutcomeUnknownException} (it may have happened) and
 * {@link CorruptStateException} (what is stored cannot be used). A refusal, such as "sold out", is never an exception.
 */
public class InterlockException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    /**
     * Creates the exception.
     *
     * @param message what failed, why, and the mend
     * @param cause the failure below, or null
     */
    public InterlockException(String message, @Nullable Throwable cause) {
        super(message, cause);
    }
}
