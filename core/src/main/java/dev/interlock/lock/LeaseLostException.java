// SPDX-License-Identifier: Apache-2.0
package dev.interlock.lock;

import dev.interlock.InterlockException;

/**
 * A lease is not valid any more, or not for as long as was asked: it lapsed, was removed, or was given back. Stop the work it
 * protected; somebody else may own the lock.
 */
public final class LeaseLostException extends InterlockException {
    private static final long serialVersionUID = 1L;

    /**
     * Creates the exception.
     *
     * @param message which lease, and why it is not valid
     */
    public LeaseLostException(String message) {
        super(message, null);
    }
}
