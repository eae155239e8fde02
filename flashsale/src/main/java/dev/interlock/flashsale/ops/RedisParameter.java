// SPDX-License-Identifier: Apache-2.0
package dev.interlock.flashsale.ops;

import dev.interlock.Interlock;
import dev.interlock.InterlockBuilder;
import java.time.Duration;
import java.util.List;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;

/** Which Redis, as the parameters of a command. */
final class RedisParameter {
    /** Nobody waits for a person's command but the person. */
    private static final Duration TIMEOUT = Duration.ofSeconds(5);

    @Parameters(
            paramLabel = "URI",
            arity = "0..*",
            defaultValue = "redis://localhost:6379",
            description = "Redis: redis://, rediss:// or redis-sentinel://, or several nodes of one cluster. Default:"
                    + " ${DEFAULT-VALUE}.")
    private List<String> uris = List.of();

    /** Not yet connected. */
    InterlockBuilder builder(CommandSpec command) {
        try {
            return Interlock.builder().uri(uris.toArray(String[]::new)).commandTimeout(TIMEOUT);
        } catch (IllegalArgumentException e) {
            // The text may hold a password, so it is not repeated.
            throw new ParameterException(
                    command.commandLine(),
                    "URI must be an URI of Redis: give one like redis://localhost:6379, rediss://host:port or"
                            + " redis-sentinel://host:port#name");
        }
    }
}
