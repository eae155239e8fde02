// SPDX-License-Identifier: Apache-2.0
package dev.interlock.flashsale.rush;

import dev.interlock.flashsale.console.Cleanup;
import dev.interlock.flashsale.console.DatabaseOption;
import dev.interlock.flashsale.console.FailedException;
import dev.interlock.flashsale.console.Progress;
import dev.interlock.flashsale.console.RedisOption;
import dev.interlock.flashsale.console.Specs;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.Locale;
import java.util.concurrent.Callable;
import java.util.concurrent.ThreadLocalRandom;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** The main job on the command line. */
@Command(
        name = "rush",
        mixinStandardHelpOptions = true,
        sortOptions = false,
        usageHelpAutoWidth = true,
        description = {
            "Lets many users rush at few coupons, records every unit in a database, and proves it.",
            "",
            "Without --redis and --db it starts a Redis and a PostgreSQL of its own, on this machine only, and removes"
                    + " them at the end. On servers that are given, it makes a new pool with a unique name, prints that"
                    + " name, and removes nothing.",
            ""
        },
        exitCodeListHeading = "%nExit codes:%n",
        exitCodeList = {
            "0:Every invariant holds.",
            "1:An invariant is broken, or the job could not be done.",
            "2:A wrong option; nothing was started.",
            "130:Interrupted; what it had started is stopped."
        })
public final class RushCommand implements Callable<Integer> {
    private static final long MAX_COUPONS = 10_000_000;
    private static final long MAX_REQUESTS = 100_000_000;
    private static final double MAX_DUPLICATES = 0.99;
    private static final int MAX_NODES = 16;

    @Spec
    private @Nullable CommandSpec spec;

    @Option(
            names = "--coupons",
            paramLabel = "N",
            defaultValue = "10000",
            description = "Units on sale, 0 to 10,000,000. Default: ${DEFAULT-VALUE}.")
    private long coupons;

    @Option(
            names = "--requests",
            paramLabel = "M",
            defaultValue = "1000000",
            description = "All calls together, 1 to 100,000,000. Default: ${DEFAULT-VALUE}.")
    private long requests;

    @Option(
            names = "--users",
            paramLabel = "U",
            description =
                    "Distinct users, 1 to the number of requests that are no repeats, which is the default: each of"
                            + " those comes from a user of its own. With fewer, users ask in turn, each time with a new"
                            + " request id.")
    private @Nullable Long users;

    @Option(
            names = "--duplicates",
            paramLabel = "R",
            defaultValue = "0.1",
            description =
                    "Share of the requests that repeat an earlier one of the same user, 0 to 0.99: half with the same"
                            + " request id, as after a lost answer, half with a new one. Default: ${DEFAULT-VALUE}.")
    private double duplicates;

    @Option(
            names = "--nodes",
            paramLabel = "K",
            defaultValue = "1",
            description = "JVMs that make the requests, 1 to 16; with more than 1 each is a process of its own."
                    + " Default: ${DEFAULT-VALUE}.")
    private long nodes;

    @Mixin
    private RedisOption redis = new RedisOption();

    @Mixin
    private DatabaseOption database = new DatabaseOption();

    @Option(names = "--seed", paramLabel = "S", description = "Repeats a run's choice of requests. Default: random.")
    private @Nullable Long seed;

    @Option(names = "--json", description = "Print the result as one JSON object, and everything else as errors.")
    private boolean json;

    /** For picocli. */
    public RushCommand() {}

    @Override
    public Integer call() {
        RushSettings settings = settings();
        Result result;
        try (Cleanup cleanup = new Cleanup("interlock rush")) {
            result = new Rush(settings, mainClass(), Progress.onErrorStream(), cleanup).run();
        }
        PrintStream out = new PrintStream(System.out, true, StandardCharsets.UTF_8);
        if (json) {
            out.println(NodeLine.JSON.writeValueAsString(result.json()));
        } else {
            out.print(result.text());
        }
        if (out.checkError()) {
            throw new FailedException("the verdict could not be written: give an output that takes it", null);
        }
        return result.verdict().held() ? 0 : 1;
    }

    /** Checks every option, and those that depend on each other. */
    RushSettings settings() {
        range("--coupons", coupons, 0, MAX_COUPONS);
        range("--requests", requests, 1, MAX_REQUESTS);
        range("--nodes", nodes, 1, MAX_NODES);
        if (!(duplicates >= 0 && duplicates <= MAX_DUPLICATES)) {
            throw wrong("--duplicates must be from 0 to " + MAX_DUPLICATES + " but is " + duplicates
                    + ": give the share of requests that are repeats");
        }
        if (nodes > requests) {
            throw wrong("--nodes " + nodes + " is more than --requests " + requests + ": give fewer nodes");
        }
        long repeats = Math.min(Math.round(requests * duplicates), requests - 1);
        long firsts = requests - repeats;
        if (users != null && users > firsts && users <= MAX_REQUESTS) {
            throw wrong(String.format(
                    Locale.ROOT,
                    "--users %d is more than the %d requests that are no repeats: give fewer users, more --requests or"
                            + " fewer --duplicates",
                    users,
                    firsts));
        }
        long distinct = users == null ? firsts : range("--users", users, 1, MAX_REQUESTS);
        Workload workload = new Workload(
                (int) coupons,
                (int) requests,
                (int) distinct,
                (int) repeats,
                seed == null ? ThreadLocalRandom.current().nextLong(1_000_000) : seed);
        return new RushSettings(workload, (int) nodes, redis.checked(command()), database.checked(command()));
    }

    private long range(String option, long value, long min, long max) {
        if (value < min || value > max) {
            throw wrong(String.format(
                    Locale.ROOT,
                    "%s must be from %,d to %,d but is %,d: give one in between",
                    option,
                    min,
                    max,
                    value));
        }
        return value;
    }

    private ParameterException wrong(String message) {
        return new ParameterException(command().commandLine(), message);
    }

    private CommandSpec command() {
        return Specs.of(spec);
    }

    private String mainClass() {
        return command().root().userObject().getClass().getName();
    }
}
