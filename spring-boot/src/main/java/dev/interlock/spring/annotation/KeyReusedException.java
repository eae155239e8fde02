// SPDX-License-Identifier: Apache-2.0
package dev.interlock.spring.annotation;

/**
 * A call of an {@link Idempotent} method was refused because its key was used with other arguments; the method did not run.
 * In HTTP 422.
 */
public final class KeyReusedException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    KeyReusedException(String name) {
        super("the key of this call of " + name + " was used with other arguments");
    }
}
