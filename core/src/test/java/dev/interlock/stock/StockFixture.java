// SPDX-License-Identifier: Apache-2.0
package dev.interlock.stock;

import dev.interlock.Interlock;
import dev.interlock.Topology;
import dev.interlock.embedded.RedisServer;
import io.lettuce.core.RedisClient;
import io.lettuce.core.RedisURI;
import io.lettuce.core.api.sync.RedisCommands;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.TestInstance;

/** A server for all tests of a class, with a plain client beside Interlock. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
abstract class StockFixture {
    final Topology topology;
    RedisServer server;
    Interlock interlock;
    RedisClient rawClient;
    RedisCommands<String, String> raw;

    StockFixture(Topology topology) {
        this.topology = topology;
    }

    @BeforeAll
    void start() {
        server = topology.start();
        interlock = Topology.connect(server);
        rawClient = RedisClient.create(RedisURI.create(server.uri()));
        raw = rawClient.connect().sync();
    }

    @AfterAll
    void stop() {
        interlock.close();
        rawClient.shutdown();
        server.close();
    }
}
