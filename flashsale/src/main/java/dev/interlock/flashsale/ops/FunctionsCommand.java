// SPDX-License-Identifier: Apache-2.0
package dev.interlock.flashsale.ops;

import dev.interlock.Interlock;
import dev.interlock.flashsale.console.Specs;
import dev.interlock.script.NodeFunctions;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** Interlock's scripts as functions of Redis. */
@Command(
        name = "functions",
        mixinStandardHelpOptions = true,
        usageHelpAutoWidth = true,
        description = {"Deploys Interlock's scripts as functions of Redis, and tells which master has which.", ""})
public final class FunctionsCommand implements Runnable {
    @Spec
    private @Nullable CommandSpec spec;

    /** For picocli. */
    public FunctionsCommand() {}

    @Override
    public void run() {
        throw new ParameterException(Specs.of(spec).commandLine(), "a command is missing: give deploy or status");
    }

    @Command(
            name = "deploy",
            mixinStandardHelpOptions = true,
            usageHelpAutoWidth = true,
            description = {
                "Loads all functions of this version on every master that lacks them. Those of other versions stay.",
                ""
            },
            exitCodeListHeading = "%nExit codes:%n",
            exitCodeList = {"0:Every master has all functions.", "1:It could not be done.", "2:A wrong option."})
    int deploy(@Mixin RedisParameter redis) {
        try (Interlock interlock = redis.builder(sub("deploy")).build()) {
            return report(interlock.functions().deploy(), false);
        }
    }

    @Command(
            name = "status",
            mixinStandardHelpOptions = true,
            usageHelpAutoWidth = true,
            description = {"Tells which master has which functions. Changes nothing.", ""},
            exitCodeListHeading = "%nExit codes:%n",
            exitCodeList = {
                "0:Every master has all functions of this version.",
                "1:A master lacks some, or could not be asked.",
                "2:A wrong option."
            })
    int status(
            @Mixin RedisParameter redis,
            @Option(names = "--all", description = "Name each function, not only how many.") boolean all) {
        try (Interlock interlock = redis.builder(sub("status")).build()) {
            return report(interlock.functions().status(), all);
        }
    }

    private CommandSpec sub(String name) {
        return Objects.requireNonNull(Specs.of(spec).subcommands().get(name)).getCommandSpec();
    }

    private static int report(List<NodeFunctions> masters, boolean all) {
        for (NodeFunctions master : masters) {
            System.out.printf(
                    "%s: %d functions of this version, %d missing, %d of other versions%n",
                    master.node(),
                    master.present().size(),
                    master.missing().size(),
                    master.others().size());
            print("missing", master.missing());
            print("other version", master.others());
            if (all) {
                print("present", master.present());
            }
        }
        return masters.stream().allMatch(master -> master.missing().isEmpty()) ? 0 : 1;
    }

    private static void print(String what, List<String> names) {
        names.forEach(name -> System.out.println("  " + what + " " + name));
    }
}
