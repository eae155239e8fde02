// SPDX-License-Identifier: Apache-2.0
package dev.interlock;

/**
 * More calls wait in this JVM than the configured bound allows, so this one was refused before it was sent. Slow the
 * callers down, or raise {@link InterlockBuilder#maxPending(int)}.
 */
public final class BackPressureException extends NotExecutedException {
    private static final long serialVersionUID = 1L;

    /**
     * Creates the exception.
     *
     * @param message which bound was reached
     */
    public BackPressureException(String message) {
        super(message, null);
    }
}
