// SPDX-License-Identifier: Apache-2.0
package dev.interlock.flashsale.console;

import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;

/** {@code --kafka}. */
public final class KafkaOption {
    private static final String HOST = "(\\[[0-9a-fA-F:.]+]|[A-Za-z0-9._-]+)";
    private static final String PORT = "([1-9]\\d{0,3}|[1-5]\\d{4}|6[0-4]\\d{3}|65[0-4]\\d{2}|655[0-2]\\d|6553[0-5])";
    private static final Pattern BROKERS = Pattern.compile(HOST + ':' + PORT + "(," + HOST + ':' + PORT + ")*");

    @Option(
            names = "--kafka",
            paramLabel = "HOST:PORT[,HOST:PORT...]",
            description = "Kafka brokers to publish recorded events to. Default: none; nothing is published.")
    private @Nullable String brokers;

    /** For picocli. */
    public KafkaOption() {}

    /**
     * The given brokers.
     *
     * @param command whose option it is
     * @return the brokers as Kafka takes them, or null if none were given
     * @throws ParameterException if one has no host or no port
     */
    public @Nullable String checked(CommandSpec command) {
        if (brokers != null && !BROKERS.matcher(brokers).matches()) {
            throw new ParameterException(
                    command.commandLine(),
                    "--kafka must be hosts with ports and commas between: give one like localhost:9092");
        }
        return brokers;
    }
}
