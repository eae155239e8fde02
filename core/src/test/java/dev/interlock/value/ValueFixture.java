// SPDX-License-Identifier: Apache-2.0
package dev.interlock.value;

import dev.interlock.Deployment;
import dev.interlock.Interlock;
import dev.interlock.Topology;
import io.lettuce.core.cluster.api.sync.RedisClusterCommands;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.TestInstance;

/** A server for all tests of a class, with a plain client beside Interlock, and a name for each test. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
abstract class ValueFixture {
    final String primitive;
    final Topology topology;
    Deployment server;
    Interlock interlock;
    RedisClusterCommands<String, String> redis;
    String name;

    ValueFixture(String primitive, Topology topology) {
        this.primitive = primitive;
        this.topology = topology;
    }

    @BeforeAll
    void start() {
        server = topology.start();
        interlock = Topology.connect(server);
        redis = server.redis();
    }

    @AfterAll
    void stop() {
        interlock.close();
        server.close();
    }

    /** The key that holds the value. */
    String key() {
        return "interlock:" + primitive + ":{" + name + "}";
    }
}
