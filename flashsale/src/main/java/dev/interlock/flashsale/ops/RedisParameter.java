// SPDX-License-Identifier: Apache-2.0
package dev.interlock.flashsale.ops;

import dev.interlock.InterlockBuilder;
import dev.interlock.flashsale.console.RedisOption;
import java.time.Duration;
import java.util.List;
import picocli.CommandLine.Model.CommandSpec;
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
        return RedisOption.builder(command, "URI", uris).commandTimeout(TIMEOUT);
    }
}
