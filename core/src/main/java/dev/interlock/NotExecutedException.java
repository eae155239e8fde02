// SPDX-License-Identifier: Apache-2.0
package dev.interlock;

import org.jspecify.annotations.Nullable;

/**
 * The call surely had no effect: Redis was not reachable, or refused it before it ran (out of memory, MISCONF,
 * NOREPLICAS, CLUSTERDOWN), or it never left this JVM. It may be tried again as it is.
 */
public class NotExecutedException extends InterlockException {
    private static final long serialVersionUID = 1L;

    /**
     * Creates the exception.
     *
     * @param message what was not executed, why, and the mend
     * @param cause the failure below, or null
     */
    public NotExecutedException(String message, @Nullable Throwable cause) {
        super(message, cause);
    }
}
