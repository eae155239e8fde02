// SPDX-License-Identifier: Apache-2.0
package dev.interlock.limit;

import static org.assertj.core.api.Assertions.assertThat;

import dev.interlock.embedded.RedisServer;
import dev.interlock.limit.Oracle.Grant;
import java.io.BufferedReader;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/**
 * L1: real concurrent traffic from two processes, judged by the times of the server. The 95 % of L2 are owed to who offers
 * twice the limit all the time. On a test machine threads stop for longer than a window, so LimiterRulesIT tests that
 * number with a clock that waits for the calls; here a share that such stops leave is enough to see that nobody starves.
 */
class LimiterTrafficIT {
    private static final long MILLIS = 3_000;
    private static final long LEAD_MILLIS = 5_000;
    private static final int PROCESSES = 2;

    @Test
    void noWindowOfConcurrentTrafficExceedsItsBoundAndNoneIsStarved() throws IOException, InterruptedException {
        Map<String, List<Grant>> grants = new TreeMap<>();
        long start = System.currentTimeMillis() + LEAD_MILLIS;
        try (RedisServer server = RedisServer.start()) {
            List<Process> processes = new ArrayList<>();
            try {
                for (int i = 0; i < PROCESSES; i++) {
                    processes.add(start(server.uri(), start));
                }
                for (Process process : processes) {
                    int before = total(grants);
                    read(process, grants);
                    assertThat(process.waitFor()).isZero();
                    assertThat(total(grants)).as("grants of each process").isGreaterThan(before);
                }
            } finally {
                processes.forEach(Process::destroyForcibly);
            }
        }
        TrafficMain.LIMITS.forEach((name, limit) -> {
            List<Grant> all = grants.getOrDefault(name, List.of());
            long from = all.stream().mapToLong(Grant::at).min().orElseThrow();
            long to = all.stream().mapToLong(Grant::at).max().orElseThrow();
            long units = all.stream().mapToLong(Grant::units).sum();
            double offered = (double) limit.permits() * (to - from) / Oracle.micros(limit);
            System.out.println(name + ": " + units + " units in " + (to - from) / 1000 + " ms, worst window "
                    + WorstWindow.of(all, Oracle.micros(limit)) + " of " + limit.permits());
            assertThat(WorstWindow.keeps(limit, all)).as(name).isTrue();
            // The oracle proves that nothing is denied that could pass; here only a busy machine asks too seldom.
            assertThat(units).as(name).isGreaterThan((long) (offered * 0.3));
        });
    }

    private static int total(Map<String, List<Grant>> grants) {
        return grants.values().stream().mapToInt(List::size).sum();
    }

    private static Process start(String uri, long start) throws IOException {
        return new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-Xmx256m",
                        "-cp",
                        System.getProperty("java.class.path"),
                        TrafficMain.class.getName(),
                        uri,
                        Long.toString(start),
                        Long.toString(MILLIS))
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
    }

    private static void read(Process process, Map<String, List<Grant>> grants) throws IOException {
        try (BufferedReader reader = process.inputReader()) {
            for (String line = reader.readLine(); line != null; line = reader.readLine()) {
                String[] words = line.split(" ");
                if (words.length == 3 && TrafficMain.LIMITS.containsKey(words[0])) {
                    grants.computeIfAbsent(words[0], name -> new ArrayList<>())
                            .add(new Grant(Long.parseLong(words[1]), Long.parseLong(words[2])));
                }
            }
        }
    }
}
