// SPDX-License-Identifier: Apache-2.0
package dev.interlock;

import org.jspecify.annotations.Nullable;

/**
 * A key holds something that its primitive cannot use: another type, or text where a number belongs. Nothing was
 * changed; someone else writes to this key, or it was damaged.
 */
public final class CorruptStateException extends InterlockException {
    private static final long serialVersionUID = 1L;

    /**
     * Creates the exception.
     *
     * @param message which key and what is wrong with it
     * @param cause the answer of Redis, or null
     */
    public CorruptStateException(String message, @Nullable Throwable cause) {
        super(message, cause);
    }
}
