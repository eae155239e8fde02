// SPDX-License-Identifier: Apache-2.0
package dev.interlock.flashsale.console;

import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;

/** {@code --db}, the same for all commands. */
public final class DatabaseOption {
    /** jdbc:postgresql: with hosts and ports, a database and parameters, each of which may be missing. */
    private static final Pattern JDBC = Pattern.compile(
            "jdbc:postgresql:(//(\\[[^\\]]+]|[^/?:,@]*)(:\\d{1,5})?(,(\\[[^\\]]+]|[^/?:,@]+)(:\\d{1,5})?)*(/[^?]*)?|[^/?]*)(\\?.*)?");

    @Option(
            names = "--db",
            paramLabel = "JDBC",
            description = "PostgreSQL to use: jdbc:postgresql://host/database?user=... Missing tables are made in it.")
    private @Nullable String url;

    /** For picocli. */
    public DatabaseOption() {}

    /**
     * The given URL.
     *
     * @param command whose option it is
     * @return the URL, or null if none was given
     * @throws ParameterException if it is no URL of PostgreSQL
     */
    public @Nullable String checked(CommandSpec command) {
        if (url != null && !JDBC.matcher(url).matches()) {
            // The text may hold a password, so it is not repeated.
            throw new ParameterException(
                    command.commandLine(),
                    "--db must be a JDBC URL of PostgreSQL: give one like jdbc:postgresql://localhost/shop?user=shop");
        }
        return url;
    }
}
