// SPDX-License-Identifier: Apache-2.0
package dev.interlock.benchmarks;

import com.sun.management.OperatingSystemMXBean;
import dev.interlock.benchmarks.Contender.Measurement;
import io.lettuce.core.RedisClient;
import io.lettuce.core.RedisURI;
import io.lettuce.core.api.sync.RedisCommands;
import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Runs the ways of a case in turn, several times, and counts what each made Redis and this JVM do. */
final class Trials {
    private final OperatingSystemMXBean machine = (OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean();
    private final String ways;

    /** Runs the ways whose whole names match a regular expression. */
    Trials(String ways) {
        this.ways = ways;
    }

    /**
     * One trial of one way.
     *
     * @param measurement what the way measured
     * @param commands commands that Redis executed for each operation, with those inside scripts
     * @param redisMicros processor time of Redis for each operation
     * @param jvmMicros processor time of this JVM, and of those it started, for each operation
     */
    record Trial(Measurement measurement, double commands, double redisMicros, double jvmMicros) {}

    /** The first round warms up and is not counted. */
    Map<String, List<Trial>> run(Case job, int trials, double seconds) throws Exception {
        Map<String, List<Trial>> results = new LinkedHashMap<>();
        List<Contender> contenders = job.contenders().stream()
                .filter(way -> way.name().matches(ways))
                .toList();
        RedisClient client = RedisClient.create(RedisURI.create("127.0.0.1", job.redisPort()));
        try {
            RedisCommands<String, String> redis = client.connect().sync();
            for (int round = 0; round <= trials; round++) {
                for (Contender contender : contenders) {
                    Trial trial = one(contender, redis, (long) (seconds * 1e9));
                    System.err.printf(
                            "%s round %d: %s %,.0f/s %s%n",
                            round == 0 ? "warm-up" : "trial",
                            round,
                            contender.name(),
                            trial.measurement().perSecond(),
                            trial.measurement().remark());
                    if (round > 0) {
                        results.computeIfAbsent(contender.name(), name -> new ArrayList<>())
                                .add(trial);
                    }
                }
            }
        } finally {
            client.shutdown();
        }
        return results;
    }

    private Trial one(Contender contender, RedisCommands<String, String> redis, long nanos) throws Exception {
        System.gc();
        long commands = commands(redis);
        double redisCpu = redisCpu(redis);
        long jvmCpu = machine.getProcessCpuTime();
        Measurement measured = contender.run(nanos);
        double operations = Math.max(1, measured.operations());
        return new Trial(
                measured,
                (commands(redis) - commands) / operations,
                (redisCpu(redis) - redisCpu) * 1e6 / operations,
                (machine.getProcessCpuTime() - jvmCpu + measured.otherJvmNanos()) / 1e3 / operations);
    }

    private static long commands(RedisCommands<String, String> redis) {
        return redis.info("commandstats")
                .lines()
                .filter(line -> line.startsWith("cmdstat_"))
                .mapToLong(line -> Long.parseLong(line.substring(line.indexOf("calls=") + 6, line.indexOf(','))))
                .sum();
    }

    private static double redisCpu(RedisCommands<String, String> redis) {
        return redis.info("cpu")
                .lines()
                .filter(line -> line.startsWith("used_cpu_sys:") || line.startsWith("used_cpu_user:"))
                .mapToDouble(line -> Double.parseDouble(line.substring(line.indexOf(':') + 1)))
                .sum();
    }
}
