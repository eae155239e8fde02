// SPDX-License-Identifier: Apache-2.0
package dev.interlock.flashsale.serve;

import dev.interlock.flashsale.console.DatabaseOption;
import dev.interlock.flashsale.console.KafkaOption;
import dev.interlock.flashsale.console.RedisOption;
import dev.interlock.flashsale.console.Specs;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** The service on the command line. */
@Command(
        name = "serve",
        mixinStandardHelpOptions = true,
        sortOptions = false,
        usageHelpAutoWidth = true,
        description = {
            "Serves campaigns, coupons, products and holds over HTTP, and a page that shows them live.",
            "",
            "Without --redis and --db it starts a Redis and a PostgreSQL of its own, on this machine only, and keeps"
                    + " their data in ./data until the next start. It then prints a password for the operator, unless"
                    + " FLASHSALE_OPERATOR_PASSWORD is set. Ends in an orderly way on Ctrl-C and SIGTERM.",
            ""
        },
        exitCodeListHeading = "%nExit codes:%n",
        exitCodeList = {
            "1:It could not start: the port is in use, or Redis or the database does not answer.",
            "2:A wrong option; nothing was started.",
            "130:Ended by Ctrl-C.",
            "143:Ended by SIGTERM."
        })
public final class ServeCommand implements Callable<Integer> {
    private static final int DEFAULT_PORT = 8080;
    private static final int MAX_PORT = 65_535;
    private static final Set<String> LOG_FORMATS = Set.of("ecs", "gelf", "logstash");

    @Spec
    private @Nullable CommandSpec spec;

    @Option(
            names = "--port",
            paramLabel = "N",
            defaultValue = "" + DEFAULT_PORT,
            description = "TCP port, 0 to 65,535; 0 takes a free one. Default: ${DEFAULT-VALUE}.")
    private long port;

    @Mixin
    private RedisOption redis = new RedisOption();

    @Mixin
    private DatabaseOption database = new DatabaseOption();

    @Mixin
    private KafkaOption kafka = new KafkaOption();

    @Option(
            names = "--data",
            paramLabel = "FOLDER",
            defaultValue = "data",
            description = "Where servers of its own keep their data. Default: ./${DEFAULT-VALUE}.")
    private Path data = Path.of("data");

    @Option(names = "--prometheus", description = "Open /actuator/prometheus, without a login.")
    private boolean prometheus;

    @Option(
            names = "--log-format",
            paramLabel = "FORMAT",
            description = "Write logs as JSON: ecs, gelf or logstash. Default: plain lines.")
    private @Nullable String logFormat;

    @Option(
            names = "--until-ready",
            hidden = true,
            description = "End as soon as it is ready: the build learns from it.")
    private boolean untilReady;

    /** For picocli. */
    public ServeCommand() {}

    @Override
    public Integer call() {
        ServeOptions options = options();
        Service service = Service.start(options);
        System.err.println(
                "interlock serve: ready at http://localhost:" + service.port() + "/ (API: /swagger-ui.html)");
        if (untilReady) {
            service.rehearse();
            service.close();
        } else {
            service.await();
        }
        return 0;
    }

    /** Checks every option. */
    ServeOptions options() {
        if (port < 0 || port > MAX_PORT) {
            throw wrong("--port must be from 0 to 65,535 but is " + port + ": give one in between");
        }
        if (logFormat != null && !LOG_FORMATS.contains(logFormat)) {
            throw wrong("--log-format must be ecs, gelf or logstash: give one of them");
        }
        List<String> uris = redis.checked(command());
        String jdbcUrl = database.checked(command());
        String brokers = kafka.checked(command());
        return new ServeOptions((int) port, uris, jdbcUrl, brokers, data, prometheus, logFormat);
    }

    private CommandSpec command() {
        return Specs.of(spec);
    }

    private ParameterException wrong(String message) {
        return new ParameterException(command().commandLine(), message);
    }
}
