// SPDX-License-Identifier: Apache-2.0
package dev.interlock.flashsale.rush;

import dev.interlock.Interlock;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What a rush is to do, checked.
 *
 * @param workload its requests
 * @param nodes how many JVMs make them
 * @param redis where Redis is, empty for an embedded one
 * @param database JDBC URL of the database, null for an embedded one
 */
record RushSettings(
        Workload workload,
        int nodes,
        List<String> redis,
        @Nullable String database) {
    /** Longer than the library's default: here a cold JVM, Redis and a database share the cores with the load. */
    private static final Duration COMMAND_TIMEOUT = Duration.ofSeconds(1);

    /** Connects as every node does. */
    static Interlock connect(List<String> redis) {
        return Interlock.builder()
                .uri(redis.toArray(String[]::new))
                .commandTimeout(COMMAND_TIMEOUT)
                .build();
    }

    /** Load threads of one node: all cores busy, none fought for. */
    int threadsPerNode() {
        return Math.max(1, Math.min(8, Runtime.getRuntime().availableProcessors() / nodes));
    }
}
