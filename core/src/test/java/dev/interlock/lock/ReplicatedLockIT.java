// SPDX-License-Identifier: Apache-2.0
package dev.interlock.lock;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.interlock.Interlock;
import dev.interlock.Topology;
import dev.interlock.embedded.RedisServer;
import io.lettuce.core.RedisClient;
import io.lettuce.core.RedisURI;
import io.lettuce.core.api.sync.RedisCommands;
import java.time.Duration;
import java.util.concurrent.CompletionException;
import java.util.concurrent.TimeUnit;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Grants that replicas must acknowledge, with a real replica. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class ReplicatedLockIT {
    private static final Duration LONG = Duration.ofSeconds(20);
    private static final Duration PATIENCE = Duration.ofSeconds(3);

    private RedisServer master;
    private RedisServer replica;
    private Interlock interlock;
    private RedisClient client;
    private RedisCommands<String, String> onReplica;
    private RedisCommands<String, String> onMaster;

    @BeforeAll
    void start() {
        master = RedisServer.start();
        replica = RedisServer.builder()
                .config("replicaof", "127.0.0.1 " + master.port())
                .start();
        interlock = Topology.connect(master);
        client = RedisClient.create();
        onReplica = client.connect(RedisURI.create(replica.uri())).sync();
        onMaster = client.connect(RedisURI.create(master.uri())).sync();
        Awaitility.await()
                .atMost(LONG)
                .until(() -> onReplica.info("replication").contains("master_link_status:up"));
    }

    @AfterAll
    void stop() {
        interlock.close();
        client.shutdown(0, 1, TimeUnit.SECONDS);
        replica.close();
        master.close();
    }

    private DistributedLock lock(String name, int replicas, Duration timeout) {
        return interlock.locks().replicated(name, LockOptions.DEFAULTS, replicas, timeout);
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1, 2})
    void anAcknowledgedGrantIsOnTheReplicaInAllThreeViews(int view) throws Exception {
        String name = Topology.name("r");
        DistributedLock lock = lock(name, 1, PATIENCE);
        Lease lease = switch (view) {
            case 0 -> lock.acquire(LONG);
            case 1 -> lock.async().acquire(LONG).toCompletableFuture().join();
            default -> lock.reactive().acquire(LONG).block();
        };
        assertThat(onReplica.get("interlock:lock:{" + name + "}")).startsWith(lease.ownerToken());
        assertThat(interlock.lock(name).tryAcquire()).isEmpty();
        assertThat(lock.tryAcquire()).isEmpty();
        assertThat(lease.release()).isEqualTo(new ReleaseResult.Released());
        assertThat(onMaster.pttl("interlock:lock:{" + name + "}:mark")).isPositive();
        lock.tryAcquire().orElseThrow().close();
    }

    @Test
    void tooFewAcknowledgementsReleaseTheLockAndFail() {
        String name = Topology.name("r");
        Duration brief = Duration.ofMillis(100);
        assertThatThrownBy(() -> lock(name, 2, brief).tryAcquire())
                .isInstanceOf(NotAcknowledgedException.class)
                .hasMessageContaining("1 of 2 replicas");
        assertThat(onMaster.exists("interlock:lock:{" + name + "}")).isZero();
        assertThatThrownBy(() -> lock(name, 2, brief).acquire(LONG)).isInstanceOf(NotAcknowledgedException.class);
        assertThatThrownBy(() -> lock(name, 2, brief)
                        .async()
                        .tryAcquire()
                        .toCompletableFuture()
                        .join())
                .isInstanceOf(CompletionException.class)
                .hasCauseInstanceOf(NotAcknowledgedException.class);
        assertThatThrownBy(() -> lock(name, 2, brief).reactive().tryAcquire().block())
                .isInstanceOf(NotAcknowledgedException.class);
        interlock.lock(name).tryAcquire().orElseThrow().close();
    }

    @Test
    void aReplicaThatIsPausedAcknowledgesNothing() throws Exception {
        String name = Topology.name("r");
        replica.pause();
        try {
            assertThatThrownBy(() -> lock(name, 1, Duration.ofMillis(200)).acquire(LONG))
                    .isInstanceOf(NotAcknowledgedException.class)
                    .hasMessageContaining("0 of 1 replicas");
            assertThat(onMaster.exists("interlock:lock:{" + name + "}")).isZero();
        } finally {
            replica.resume();
        }
        Awaitility.await()
                .atMost(LONG)
                .until(() -> onReplica.info("replication").contains("master_link_status:up"));
        lock(name, 1, PATIENCE).acquire(LONG).close();
    }

    @Test
    void badInputIsRefused() {
        assertThatThrownBy(() -> lock("", 1, PATIENCE)).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> lock("a", 0, PATIENCE)).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> lock("a", 101, PATIENCE)).isInstanceOf(IllegalArgumentException.class);
        for (Duration bad : new Duration[] {Duration.ZERO, Duration.ofMillis(-1), Duration.ofSeconds(Long.MAX_VALUE)}) {
            assertThatThrownBy(() -> lock("a", 1, bad)).isInstanceOf(IllegalArgumentException.class);
        }
    }
}
