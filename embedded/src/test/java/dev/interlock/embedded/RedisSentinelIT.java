// SPDX-License-Identifier: Apache-2.0
package dev.interlock.embedded;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

class RedisSentinelIT {
    private static RedisSentinel sentinel;

    @BeforeAll
    static void start() {
        sentinel = RedisSentinel.start();
    }

    @AfterEach
    void isHealthy() {
        sentinel.awaitHealthy();
    }

    @AfterAll
    static void stop() {
        List<RedisServer> nodes = sentinel.nodes();
        List<RedisServer> sentinels = sentinel.sentinels();
        sentinel.close();
        assertThat(nodes).hasSize(3).noneMatch(RedisServer::isAlive);
        assertThat(sentinels).hasSize(3).noneMatch(RedisServer::isAlive);
    }

    @Test
    void aReplicaIsMadeMasterOnDemand() {
        RedisServer before = sentinel.master();
        before.command("SET", "a", "1");
        assertThat(before.command("WAIT", "2", "1000")).containsExactly(":2");
        sentinel.failOver();
        RedisServer after = sentinel.master();
        assertThat(after).isNotSameAs(before);
        assertThat(after.command("GET", "a")).containsExactly("1");
        sentinel.awaitHealthy();
        assertThat(sentinel.replicas()).contains(before).hasSize(2);
        assertThat(before.command("SET", "a", "2").get(0)).startsWith("-READONLY");
    }

    @Test
    void aKilledMasterIsReplacedAndComesBackAsAReplica() {
        RedisServer killed = sentinel.master();
        killed.kill();
        sentinel.awaitOtherMasterThan(killed);
        assertThat(sentinel.replicas()).doesNotContain(killed).hasSize(1);
        killed.restart();
        sentinel.awaitHealthy();
        assertThat(sentinel.replicas()).contains(killed);
    }

    @Test
    void aReplicaMayStandAloneWithoutSentinels() {
        try (RedisServer master = RedisServer.start();
                RedisServer replica = RedisServer.builder().replicaOf(master).start()) {
            master.command("SET", "a", "1");
            assertThat(master.command("WAIT", "1", "1000")).containsExactly(":1");
            assertThat(replica.command("GET", "a")).containsExactly("1");
        }
        assertThatIllegalArgumentException()
                .isThrownBy(() -> RedisSentinel.builder().replicas(0));
    }
}
