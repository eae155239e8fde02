// SPDX-License-Identifier: Apache-2.0
package dev.interlock.script.lint;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Collectors;

/**
 * Assertions on Lua scripts, for your own tests with any test framework:
 *
 * <pre>{@code
 * ScriptAssert.assertThat(Path.of("src/main/resources/lua/transfer.lua"))
 *         .hasNoFindings()
 *         .runsWithDeclaredKeysOnly(redisUri, List.of("{acct:7}:from", "{acct:7}:to"), List.of("25"));
 * }</pre>
 *
 * Immutable and thread-safe.
 */
public final class ScriptAssert {
    private final String name;
    private final String source;

    private ScriptAssert(String name, String source) {
        this.name = name;
        this.source = source;
    }

    /**
     * Reads a script, as UTF-8.
     *
     * @param file where it is
     * @return assertions on it
     * @throws UncheckedIOException if it cannot be read
     */
    public static ScriptAssert assertThat(Path file) {
        try {
            return new ScriptAssert(String.valueOf(file.getFileName()), Files.readString(file));
        } catch (IOException e) {
            throw new UncheckedIOException("the script " + file + " cannot be read", e);
        }
    }

    /**
     * Takes a script as text.
     *
     * @param name name for messages
     * @param source the whole source
     * @return assertions on it
     */
    public static ScriptAssert assertThat(String name, String source) {
        return new ScriptAssert(name, source);
    }

    /**
     * Checks the script by {@link ScriptLint}, without a server.
     *
     * @return this
     * @throws AssertionError if there is a finding; its message has a line for each
     */
    public ScriptAssert hasNoFindings() {
        List<Finding> findings = ScriptLint.check(name, source);
        if (!findings.isEmpty()) {
            throw new AssertionError(findings.stream()
                    .map(Finding::toString)
                    .collect(Collectors.joining("\n", findings.size() + " findings in " + name + "\n", "")));
        }
        return this;
    }

    /**
     * Runs the script once, as a Redis user who may touch the declared keys and no other. Redis itself refuses
     * undeclared keys only where they lie in another slot of a cluster; this finds them everywhere, also if the script
     * catches the refusal, on the way that it takes with these arguments and the present data.
     *
     * <p>What the script writes stays, and so do entries in the server's {@code ACL LOG}: use a server for tests. The user
     * has a random name and password and is deleted at the end; without ACL rights this test cannot run. Commands of the
     * categories {@code @admin} and {@code @dangerous} are refused, but for SORT and RESTORE; so are SCAN and RANDOMKEY.
     * In a cluster, the URI is that of the node with the keys. Opens two connections of its own and closes them.
     *
     * @param redisUri where, with a user who may run {@code ACL SETUSER}, {@code DELUSER} and {@code LOG}, for example
     *     {@code redis://localhost:6379}
     * @param keys the declared keys, KEYS; a space in a key allows any one byte there
     * @param args the arguments, ARGV
     * @return this
     * @throws AssertionError if the script touched another key or ran a refused command, naming it, or failed otherwise
     * @throws IllegalStateException if the server cannot be reached or denies ACL commands
     */
    public ScriptAssert runsWithDeclaredKeysOnly(String redisUri, List<String> keys, List<String> args) {
        DeclaredKeysRun.check(name, source, redisUri, new DeclaredKeysRun.Call(keys, args));
        return this;
    }
}
