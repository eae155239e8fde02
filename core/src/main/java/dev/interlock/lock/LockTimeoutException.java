// SPDX-License-Identifier: Apache-2.0
package dev.interlock.lock;

import dev.interlock.InterlockException;

/** A lock was held by others for the whole wait. Nothing is held and nothing stays queued. */
public final class LockTimeoutException extends InterlockException {
    private static final long serialVersionUID = 1L;

    /**
     * Creates the exception.
     *
     * @param message which lock, and how long it was waited for
     */
    public LockTimeoutException(String message) {
        super(message, null);
    }
}
