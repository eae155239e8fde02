// SPDX-License-Identifier: Apache-2.0
package dev.interlock;

import dev.interlock.embedded.RedisServer;
import java.time.Duration;
import java.util.UUID;

/** Where a contract must hold: each test class runs once on every one of these. */
public enum Topology {
    STANDALONE,
    /** Three masters with a replica each. */
    CLUSTER,
    /** A master with two replicas, found through three sentinels. */
    SENTINEL;

    /** Calls may wait longer than the default, because the test machine is small and busy. */
    public static final Duration PATIENCE = Duration.ofSeconds(10);

    /** An empty Redis of this kind. */
    public Deployment start() {
        return Deployment.of(this);
    }

    public static Interlock connect(Deployment deployment) {
        return connect(deployment.uris());
    }

    public static Interlock connect(RedisServer server) {
        return connect(server.uri());
    }

    private static Interlock connect(String... uris) {
        return Interlock.builder().uri(uris).commandTimeout(PATIENCE).build();
    }

    /** A name that no other test uses. */
    public static String name(String what) {
        return what + '-' + UUID.randomUUID();
    }
}
