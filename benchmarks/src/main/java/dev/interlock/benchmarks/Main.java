// SPDX-License-Identifier: Apache-2.0
package dev.interlock.benchmarks;

import dev.interlock.benchmarks.Trials.Trial;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Runs one case or all and prints the tables. */
@Command(
        name = "benchmarks",
        mixinStandardHelpOptions = true,
        description = "Measures ways of doing the same in one run.")
public final class Main implements Callable<Integer> {
    private static final Map<String, Case.Factory> CASES = new LinkedHashMap<>();

    static {
        CASES.put("issue-async", () -> new IssueCase(true));
        CASES.put("issue-blocking", () -> new IssueCase(false));
        CASES.put("rush", RushCase::new);
        CASES.put("ways", WaysCase::new);
        CASES.put("relay", RelayCase::new);
        CASES.put("lock-uncontended", LockCase::uncontended);
        CASES.put("lock-many-keys", LockCase::manyKeys);
        CASES.put("lock-many-keys-paced", LockCase::manyKeysPaced);
        CASES.put("lock-many-keys-virtual", LockCase::manyKeysVirtual);
        CASES.put("lock-one-key", LockCase::oneKey);
        CASES.put("lock-jvms", () -> LockJvmsCase.contended(0));
        CASES.put("lock-jvms-1ms", () -> LockJvmsCase.contended(1_000_000));
        CASES.put("lock-hand-over", LockJvmsCase::handOver);
        CASES.put("lock-renewal", LockRenewalCase::new);
        CASES.put("limit-hot-blocking", LimitCase::hotBlocking);
        CASES.put("limit-hot-async", LimitCase::hotAsync);
        CASES.put("limit-hot-paced", LimitCase::hotPaced);
        CASES.put("limit-denied", LimitCase::denied);
        CASES.put("limit-many-async", LimitCase::manyAsync);
        CASES.put("limit-many-blocking", LimitCase::manyBlocking);
        CASES.put("limit-many-paced", LimitCase::manyPaced);
        CASES.put("limit-mixed-async", LimitCase::mixedAsync);
        CASES.put("limit-mixed-blocking", LimitCase::mixedBlocking);
        CASES.put("limit-bytes", LimitBytesCase::new);
    }

    @Parameters(
            index = "0",
            defaultValue = "all",
            description = "a case, such as issue-async or lock-many-keys, or all; an unknown name lists them")
    private String name = "all";

    @Option(
            names = "--trials",
            defaultValue = "5",
            description = "counted trials of each way (default ${DEFAULT-VALUE})")
    private int trials;

    @Option(names = "--seconds", defaultValue = "3", description = "seconds of a trial (default ${DEFAULT-VALUE})")
    private double seconds;

    @Option(names = "--ways", defaultValue = ".*", description = "regular expression of the ways to run (default all)")
    private String ways = ".*";

    @Option(names = "--out", defaultValue = "benchmarks/target/results", description = "folder for tables and pictures")
    private Path out = Path.of("benchmarks/target/results");

    private Main() {}

    /**
     * The entry.
     *
     * @param args see {@code --help}
     */
    public static void main(String[] args) {
        System.exit(new CommandLine(new Main()).execute(args));
    }

    @Override
    public Integer call() throws Exception {
        if (!name.equals("all") && !CASES.containsKey(name)) {
            System.err.println("no case " + name + "; there are " + CASES.keySet() + " and all");
            return CommandLine.ExitCode.USAGE;
        }
        Files.createDirectories(out);
        System.out.println(Machine.describe() + "\n");
        for (Map.Entry<String, Case.Factory> each : CASES.entrySet()) {
            if (name.equals("all") || name.equals(each.getKey())) {
                run(each.getKey(), each.getValue());
            }
        }
        return CommandLine.ExitCode.OK;
    }

    private void run(String each, Case.Factory factory) throws Exception {
        try (Case job = factory.start()) {
            Map<String, List<Trial>> results = new Trials(ways).run(job, trials, seconds);
            if (results.isEmpty()) {
                System.out.println("### " + job.title() + "\n\nnot run\n");
                return;
            }
            String table = Report.table(job.title(), results);
            System.out.println(table);
            Files.writeString(
                    out.resolve(each + ".md"),
                    Machine.describe() + "\n\n" + table,
                    StandardOpenOption.CREATE,
                    StandardOpenOption.TRUNCATE_EXISTING);
            Report.picture(out.resolve(each + ".svg"), job.title(), results);
        }
    }
}
