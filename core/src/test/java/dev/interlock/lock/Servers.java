// SPDX-License-Identifier: Apache-2.0
package dev.interlock.lock;

import dev.interlock.Deployment;
import dev.interlock.Interlock;
import dev.interlock.Topology;
import io.lettuce.core.cluster.api.sync.RedisClusterCommands;

/** One server, two Interlocks as two JVMs have them, and a plain client. */
final class Servers implements AutoCloseable {
    final Deployment server;
    final Interlock here;
    final Interlock there;
    final RedisClusterCommands<String, String> redis;

    Servers(Topology topology) {
        server = topology.start();
        here = Topology.connect(server);
        there = Topology.connect(server);
        redis = server.redis();
    }

    @Override
    public void close() {
        here.close();
        there.close();
        server.close();
    }
}
