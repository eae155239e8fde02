// SPDX-License-Identifier: Apache-2.0
package dev.interlock.benchmarks;

import dev.interlock.embedded.RedisServer;
import io.lettuce.core.RedisClient;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.LocalDate;
import java.time.ZoneOffset;

/** What the numbers were measured on. */
final class Machine {
    private Machine() {}

    static String describe() {
        return String.format(
                "Measured %s on %d cores (%s), %s %s, Java %s (%s), Redis %s, Lettuce %s; client and servers share the"
                        + " machine. Medians of interleaved trials.",
                LocalDate.now(ZoneOffset.UTC),
                Runtime.getRuntime().availableProcessors(),
                processor(),
                System.getProperty("os.name"),
                System.getProperty("os.version"),
                System.getProperty("java.version"),
                System.getProperty("java.vm.name"),
                redis(),
                RedisClient.class.getPackage().getImplementationVersion());
    }

    private static String redis() {
        try (RedisServer server = RedisServer.start()) {
            return server.version();
        }
    }

    private static String processor() {
        try {
            return Files.readAllLines(Path.of("/proc/cpuinfo")).stream()
                    .filter(line -> line.startsWith("model name"))
                    .map(line -> line.substring(line.indexOf(':') + 1).strip())
                    .findFirst()
                    .orElse("unknown processor");
        } catch (IOException e) {
            return "unknown processor";
        }
    }
}
