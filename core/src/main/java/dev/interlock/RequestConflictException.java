// SPDX-License-Identifier: Apache-2.0
package dev.interlock;

/**
 * A request id was used again for something else, for example with another quantity, or to take again what it gave
 * back. The first result is kept and nothing was changed; give every new request an id of its own.
 */
public final class RequestConflictException extends InterlockException {
    private static final long serialVersionUID = 1L;

    /**
     * Creates the exception.
     *
     * @param message which request id, and what differs
     */
    public RequestConflictException(String message) {
        super(message, null);
    }
}
