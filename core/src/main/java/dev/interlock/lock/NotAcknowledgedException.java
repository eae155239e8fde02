// SPDX-License-Identifier: Apache-2.0
package dev.interlock.lock;

import dev.interlock.InterlockException;
import org.jspecify.annotations.Nullable;

/** A lock was granted, but too few replicas acknowledged the grant in time. It was released: nothing is held. */
public final class NotAcknowledgedException extends InterlockException {
    private static final long serialVersionUID = 1L;

    /**
     * Creates the exception.
     *
     * @param message which lock, how many replicas acknowledged and how many were wanted
     * @param cause why the count is not known, or null
     */
    public NotAcknowledgedException(String message, @Nullable Throwable cause) {
        super(message, cause);
    }
}
