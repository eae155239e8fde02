// SPDX-License-Identifier: Apache-2.0
package dev.interlock.flashsale.console;

import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** A command could not do its work. The message is the one line that its user reads. */
public final class FailedException extends RuntimeException {
    private static final long serialVersionUID = 1L;
    /** What stands before the @ of an URI, or after password= in a JDBC URL; also of one that was mistyped. */
    private static final Pattern SECRET = Pattern.compile("(?<=://)[^/\\s'\"]*(?=@)|(?<=password=)[^&\\s'\"]*");

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
        return SECRET.matcher(text.strip().replaceAll("\\s*\\R\\s*", " ").replaceFirst("\\.$", ""))
                .replaceAll("***");
    }
}
