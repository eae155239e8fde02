// SPDX-License-Identifier: Apache-2.0
package dev.interlock;

import dev.interlock.embedded.RedisServer;
import java.time.Duration;
import java.util.UUID;

/** Where a contract must hold: each test class runs once on every one of these. */
public enum Topology {
    STANDALONE,
    CLUSTER;

    /** Calls may wait longer than the default, because the test machine is small and busy. */
    public static final Duration PATIENCE = Duration.ofSeconds(10);

    public RedisServer start() {
        return this == STANDALONE
                ? RedisServer.start()
                : RedisServer.builder().clusterEnabled().start();
    }

    public static Interlock connect(RedisServer server) {
        return Interlock.builder().uri(server.uri()).commandTimeout(PATIENCE).build();
    }

    /** A name that no other test uses. */
    public static String name(String what) {
        return what + '-' + UUID.randomUUID();
    }
}
