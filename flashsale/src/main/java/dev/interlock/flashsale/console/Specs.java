// SPDX-License-Identifier: Apache-2.0
package dev.interlock.flashsale.console;

import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Model.CommandSpec;

/** What picocli puts into a command. */
public final class Specs {
    private Specs() {}

    /**
     * The command itself.
     *
     * @param spec what picocli put into a field of the command
     * @return the same
     * @throws IllegalStateException if picocli did not make the command
     */
    public static CommandSpec of(@Nullable CommandSpec spec) {
        if (spec == null) {
            throw new IllegalStateException("picocli has not made this command");
        }
        return spec;
    }
}
