// SPDX-License-Identifier: Apache-2.0
package dev.interlock.flashsale.console;

import dev.interlock.Interlock;
import dev.interlock.InterlockBuilder;
import java.util.List;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;

/** {@code --redis}, the same for all commands. */
public final class RedisOption {
    @Option(
            names = "--redis",
            paramLabel = "URI",
            arity = "1..*",
            description = "Redis to use: redis://, rediss:// or redis-sentinel://, or several nodes of one cluster.")
    private List<String> uris = List.of();

    /** For picocli. */
    public RedisOption() {}

    /**
     * The given URIs.
     *
     * @param command whose option it is
     * @return the URIs, empty if none were given
     * @throws ParameterException if one is malformed
     */
    public List<String> checked(CommandSpec command) {
        if (!uris.isEmpty()) {
            builder(command, "--redis", uris);
        }
        return List.copyOf(uris);
    }

    /**
     * A builder for some URIs, not yet connected.
     *
     * @param command which command was given them
     * @param name what the command calls them
     * @param uris the URIs, at least one
     * @return the builder
     * @throws ParameterException if one is malformed
     */
    public static InterlockBuilder builder(CommandSpec command, String name, List<String> uris) {
        try {
            return Interlock.builder().uri(uris.toArray(String[]::new));
        } catch (IllegalArgumentException e) {
            // The text may hold a password, so it is not repeated.
            throw new ParameterException(
                    command.commandLine(),
                    name + " must be an URI of Redis: give one like redis://localhost:6379, rediss://host:port or"
                            + " redis-sentinel://host:port#name");
        }
    }
}
