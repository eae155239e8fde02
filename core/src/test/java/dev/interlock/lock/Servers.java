// SPDX-License-Identifier: Apache-2.0
package dev.interlock.lock;

import dev.interlock.Interlock;
import dev.interlock.Topology;
import dev.interlock.embedded.RedisServer;
import io.lettuce.core.RedisClient;
import io.lettuce.core.api.sync.RedisCommands;
import java.util.concurrent.TimeUnit;

/** One server, two Interlocks as two JVMs have them, and a plain client. */
final class Servers implements AutoCloseable {
    final RedisServer server;
    final Interlock here;
    final Interlock there;
    final RedisCommands<String, String> redis;
    private final RedisClient client;

    Servers(Topology topology) {
        server = topology.start();
        here = Topology.connect(server);
        there = Topology.connect(server);
        client = RedisClient.create(server.uri());
        redis = client.connect().sync();
    }

    @Override
    public void close() {
        here.close();
        there.close();
        client.shutdown(0, 1, TimeUnit.SECONDS);
        server.close();
    }
}
