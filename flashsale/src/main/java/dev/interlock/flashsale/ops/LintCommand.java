// SPDX-License-Identifier: Apache-2.0
package dev.interlock.flashsale.ops;

import dev.interlock.flashsale.console.FailedException;
import dev.interlock.script.lint.Finding;
import dev.interlock.script.lint.ScriptLint;
import java.io.IOException;
import java.nio.charset.CharacterCodingException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.stream.Stream;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

/** Checks Lua files. */
@Command(
        name = "lint",
        mixinStandardHelpOptions = true,
        usageHelpAutoWidth = true,
        description = {
            "Finds mistakes in Lua scripts for Redis that show up late: only with some data, only in a cluster, only under"
                    + " load. Needs no server.",
            ""
        },
        exitCodeListHeading = "%nExit codes:%n",
        exitCodeList = {"0:No finding.", "1:There are findings, or a file could not be read.", "2:A wrong option."})
public final class LintCommand implements Callable<Integer> {
    @Parameters(
            paramLabel = "FILE",
            arity = "1..*",
            description = "Lua files, or folders of which all *.lua files are checked.")
    private List<Path> files = List.of();

    /** For picocli. */
    public LintCommand() {}

    @Override
    public Integer call() {
        List<Path> scripts = files.stream().flatMap(LintCommand::scripts).toList();
        if (scripts.isEmpty()) {
            throw new FailedException("there is no *.lua file in " + files + ": give files or another folder", null);
        }
        List<Finding> findings =
                scripts.stream().flatMap(file -> check(file).stream()).toList();
        findings.forEach(System.out::println);
        System.out.println(scripts.size() + " scripts, " + findings.size() + " findings");
        return findings.isEmpty() ? 0 : 1;
    }

    private static Stream<Path> scripts(Path file) {
        if (!Files.isDirectory(file)) {
            return Stream.of(file);
        }
        try (Stream<Path> inside = Files.walk(file)) {
            return inside.filter(each -> each.toString().endsWith(".lua")).sorted().toList().stream();
        } catch (IOException e) {
            throw unreadable(file, e);
        }
    }

    private static List<Finding> check(Path file) {
        try {
            return ScriptLint.check(file.toString(), Files.readString(file));
        } catch (IOException e) {
            throw unreadable(file, e);
        }
    }

    private static FailedException unreadable(Path file, IOException e) {
        String why = e instanceof NoSuchFileException
                ? "does not exist"
                : e instanceof CharacterCodingException
                        ? "is not UTF-8 text"
                        : "cannot be read (" + e.getMessage() + ")";
        return new FailedException(file + " " + why + ": give Lua files", e);
    }
}
