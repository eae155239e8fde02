// SPDX-License-Identifier: Apache-2.0
package dev.interlock.pool;

import static org.assertj.core.api.Assertions.assertThat;

import dev.interlock.Deployment;
import dev.interlock.Interlock;
import dev.interlock.Topology;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.TestInstance;

/** A server for all tests of a class, and pools of their own for each. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
abstract class PoolFixture {
    final Topology topology;
    Deployment server;
    Interlock interlock;

    PoolFixture(Topology topology) {
        this.topology = topology;
    }

    @BeforeAll
    void start() {
        server = topology.start();
        interlock = Topology.connect(server);
    }

    @AfterAll
    void stop() {
        interlock.close();
        server.close();
    }

    Pool poolOf(long total) {
        return created(PoolConfig.of(total));
    }

    Pool created(PoolConfig config) {
        Pool pool = interlock.pool(Topology.name("sale"));
        assertThat(pool.create(config)).isInstanceOf(CreateResult.Created.class);
        return pool;
    }
}
