// SPDX-License-Identifier: Apache-2.0
package dev.interlock.flashsale.ops;

import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Model.CommandSpec;

/** What picocli puts into a command. */
final class Specs {
    private Specs() {}

    static CommandSpec of(@Nullable CommandSpec spec) {
        if (spec == null) {
            throw new IllegalStateException("picocli has not made this command");
        }
        return spec;
    }
}
