// SPDX-License-Identifier: Apache-2.0
package dev.interlock.flashsale;

import dev.interlock.flashsale.console.FailedException;
import dev.interlock.flashsale.ops.AclCommand;
import dev.interlock.flashsale.ops.DoctorCommand;
import dev.interlock.flashsale.ops.FunctionsCommand;
import dev.interlock.flashsale.ops.LintCommand;
import dev.interlock.flashsale.rush.NodeCommand;
import dev.interlock.flashsale.rush.RushCommand;
import dev.interlock.flashsale.serve.ServeCommand;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.ExitCode;
import picocli.CommandLine.IVersionProvider;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.ScopeType;
import picocli.CommandLine.Spec;
import picocli.CommandLine.TypeConversionException;
import picocli.CommandLine.UnmatchedArgumentException;

/** The command line. Every command is a class of its own, listed here. */
@Command(
        name = "interlock",
        mixinStandardHelpOptions = true,
        versionProvider = Main.Version.class,
        usageHelpAutoWidth = true,
        description = {"Decisions that many machines must agree on, made atomically on Redis.", ""},
        footer = {"", "interlock COMMAND --help tells the options and exit codes of a command."},
        subcommands = {
            RushCommand.class,
            ServeCommand.class,
            DoctorCommand.class,
            LintCommand.class,
            FunctionsCommand.class,
            AclCommand.class,
            NodeCommand.class
        })
public final class Main implements Runnable {
    @Spec
    private @Nullable CommandSpec spec;

    @Option(
            names = "--verbose",
            scope = ScopeType.INHERIT,
            description = "Tell more when something fails: the stack trace.")
    private boolean verbose;

    /** For picocli. */
    public Main() {}

    /**
     * Runs a command and ends the JVM with its exit code.
     *
     * @param args the command line
     */
    public static void main(String[] args) {
        System.exit(execute(args));
    }

    /** Runs a command; returns its exit code. */
    static int execute(String... args) {
        Main main = new Main();
        CommandLine line = new CommandLine(main);
        line.registerConverter(long.class, text -> number("a whole number", text, Long::valueOf));
        line.registerConverter(Long.class, text -> number("a whole number", text, Long::valueOf));
        line.registerConverter(double.class, text -> number("a number", text, Double::valueOf));
        line.setParameterExceptionHandler((wrong, given) -> main.wrongOption(wrong));
        line.setExecutionExceptionHandler((failure, command, parsed) -> main.failed(failure, command));
        return line.execute(args);
    }

    private static <T> T number(String what, String text, Function<String, T> parse) {
        try {
            return parse.apply(text);
        } catch (NumberFormatException e) {
            throw new TypeConversionException("give " + what + " instead of '" + text + "'");
        }
    }

    @Override
    public void run() {
        if (spec != null) {
            throw new ParameterException(
                    spec.commandLine(), "a command is missing: give one, for example interlock rush");
        }
    }

    private int wrongOption(ParameterException wrong) {
        CommandSpec command = wrong.getCommandLine().getCommandSpec();
        boolean noCommand = wrong instanceof UnmatchedArgumentException && command.parent() == null;
        String why =
                noCommand ? "there is no such command or option: give one that exists" : FailedException.lineOf(wrong);
        System.err.println(command.qualifiedName() + ": " + why + " (" + command.qualifiedName() + " --help)");
        return ExitCode.USAGE;
    }

    private int failed(Exception failure, CommandLine command) {
        System.err.println(command.getCommandSpec().qualifiedName() + ": " + FailedException.lineOf(failure));
        if (verbose) {
            failure.printStackTrace();
        }
        return ExitCode.SOFTWARE;
    }

    /** Reads the version from the jar. */
    static final class Version implements IVersionProvider {
        @Override
        public String[] getVersion() {
            String version = Main.class.getPackage().getImplementationVersion();
            return new String[] {"interlock " + (version == null ? "(not packaged)" : version)};
        }
    }
}
