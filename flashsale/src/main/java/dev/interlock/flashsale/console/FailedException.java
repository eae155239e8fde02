// SPDX-License-Identifier: Apache-2.0
package dev.interlock.flashsale.console;

import org.jspecify.annotations.Nullable;

/** A command could not do its work. The message is the one line that its user reads. */
public final class FailedException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    /**
     * A failure.
     *
     * @param message what failed, why, and the mend, in one line
     * @param cause the failure below, or null
     */
    public FailedException(String message, @Nullable Throwable cause) {
        super(message, cause);
    }

    /**
     * What went wrong, in one line, without what may be secret.
     *
     * @param error any failure
     * @return its message, or its type if there is none, with line breaks as blanks, without a full stop
     */
    public static String lineOf(Throwable error) {
        String message = error.getMessage();
        String text = message == null || message.isBlank() ? error.getClass().getSimpleName() : message;
        return text.strip().replaceAll("\\s*\\R\\s*", " ").replaceFirst("\\.$", "");
    }
}
