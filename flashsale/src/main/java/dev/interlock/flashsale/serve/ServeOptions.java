// SPDX-License-Identifier: Apache-2.0
package dev.interlock.flashsale.serve;

import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What {@code interlock serve} was told.
 *
 * @param port TCP port, 0 for a free one
 * @param redis URIs, empty for an embedded one
 * @param database URL for JDBC, or null for an embedded one
 * @param kafka brokers with commas between, or null to publish nothing
 * @param data folder of the embedded servers
 * @param prometheus whether the Prometheus end-point is open
 * @param structuredLogs format of structured logs, or null for plain lines
 */
public record ServeOptions(
        int port,
        List<String> redis,
        @Nullable String database,
        @Nullable String kafka,
        Path data,
        boolean prometheus,
        @Nullable String structuredLogs) {
    /** Whether it is a demo: both servers are its own. */
    boolean demo() {
        return redis.isEmpty() && database == null;
    }
}
