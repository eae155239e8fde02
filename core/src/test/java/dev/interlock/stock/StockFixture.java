// SPDX-License-Identifier: Apache-2.0
package dev.interlock.stock;

import dev.interlock.Deployment;
import dev.interlock.Interlock;
import dev.interlock.Topology;
import io.lettuce.core.cluster.api.sync.RedisClusterCommands;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.TestInstance;

/** A server for all tests of a class, with a plain client beside Interlock. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
abstract class StockFixture {
    final Topology topology;
    Deployment server;
    Interlock interlock;
    RedisClusterCommands<String, String> raw;

    StockFixture(Topology topology) {
        this.topology = topology;
    }

    @BeforeAll
    void start() {
        server = topology.start();
        interlock = Topology.connect(server);
        raw = server.redis();
    }

    @AfterAll
    void stop() {
        interlock.close();
        server.close();
    }
}
