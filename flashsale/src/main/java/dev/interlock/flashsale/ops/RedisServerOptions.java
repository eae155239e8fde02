// SPDX-License-Identifier: Apache-2.0
package dev.interlock.flashsale.ops;

import dev.interlock.Interlock;
import dev.interlock.flashsale.console.RedisOption;
import dev.interlock.flashsale.console.Specs;
import java.time.Duration;
import java.util.List;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;

/** Which Redis, for commands that need one that runs. */
final class RedisServerOptions {
    /** Exit code for: what was asked for is not there. */
    static final int NOTHING = 3;

    private static final String DEFAULT_URI = "redis://localhost:6379";
    private static final Duration PATIENCE = Duration.ofSeconds(5);

    @Mixin
    private RedisOption redis = new RedisOption();

    @Option(
            names = "--key-prefix",
            paramLabel = "PREFIX",
            defaultValue = "interlock",
            description = "First part of the keys. Default: ${DEFAULT-VALUE}.")
    private String keyPrefix = "interlock";

    /** Connects; {@value #DEFAULT_URI} if none is given. */
    Interlock connect(@Nullable CommandSpec spec) {
        CommandSpec command = Specs.of(spec);
        List<String> given = redis.checked(command);
        String[] uris = given.isEmpty() ? new String[] {DEFAULT_URI} : given.toArray(String[]::new);
        return checked(
                        spec,
                        () -> Interlock.builder().uri(uris).keyPrefix(keyPrefix).commandTimeout(PATIENCE))
                .build();
    }

    /** What the library refuses before it sends anything is a wrong option. */
    static <T> T checked(@Nullable CommandSpec spec, Supplier<T> call) {
        try {
            return call.get();
        } catch (IllegalArgumentException e) {
            throw new ParameterException(Specs.of(spec).commandLine(), String.valueOf(e.getMessage()));
        }
    }
}
