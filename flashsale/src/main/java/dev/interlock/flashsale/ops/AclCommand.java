// SPDX-License-Identifier: Apache-2.0
package dev.interlock.flashsale.ops;

import dev.interlock.AccessRules;
import dev.interlock.InterlockBuilder;
import dev.interlock.ScriptMode;
import dev.interlock.flashsale.console.Specs;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** Prints access rules. */
@Command(
        name = "acl",
        mixinStandardHelpOptions = true,
        usageHelpAutoWidth = true,
        description = {
            "Prints the commands that make the Redis users Interlock needs, with no right too many. Needs no server;"
                    + " put passwords in before you run them.",
            ""
        },
        exitCodeListHeading = "%nExit codes:%n",
        exitCodeList = {"0:Printed.", "2:A wrong option."})
public final class AclCommand implements Callable<Integer> {
    @Spec
    private @Nullable CommandSpec spec;

    @Option(names = "--functions", description = "For ScriptMode.FUNCTION: the application may not load Lua.")
    private boolean functions;

    @Option(
            names = "--prefix",
            paramLabel = "P",
            defaultValue = InterlockBuilder.DEFAULT_KEY_PREFIX,
            description = "Key prefix of the application. Default: ${DEFAULT-VALUE}.")
    private String prefix = InterlockBuilder.DEFAULT_KEY_PREFIX;

    /** For picocli. */
    public AclCommand() {}

    @Override
    public Integer call() {
        AccessRules rules;
        try {
            rules = AccessRules.of(functions ? ScriptMode.FUNCTION : ScriptMode.EVALSHA, prefix);
        } catch (IllegalArgumentException e) {
            throw new ParameterException(Specs.of(spec).commandLine(), "--prefix: " + e.getMessage(), e);
        }
        System.out.println("ACL SETUSER app on >PASSWORD " + String.join(" ", rules.application()));
        if (functions) {
            System.out.println("ACL SETUSER deploy on >PASSWORD " + String.join(" ", rules.deployer()));
        }
        return 0;
    }
}
