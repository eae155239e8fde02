// SPDX-License-Identifier: Apache-2.0
package dev.interlock.inventory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.interlock.Interlock;
import dev.interlock.Topology;
import dev.interlock.embedded.RedisServer;
import dev.interlock.lock.Lease;
import dev.interlock.lock.ReleaseResult;
import dev.interlock.pool.PoolConfig;
import java.time.Duration;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class InventoryIT {
    private static <T> T get(CompletionStage<T> stage) throws Exception {
        return stage.toCompletableFuture().get(20, TimeUnit.SECONDS);
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void findsWhatTheServersHold(boolean cluster) throws Exception {
        RedisServer.Builder builder = RedisServer.builder().config("slowlog-log-slower-than", "0");
        try (RedisServer server = (cluster ? builder.clusterEnabled() : builder).start();
                Interlock interlock = Topology.connect(server);
                Lease plain = interlock.lock("order:42").acquire(Duration.ZERO);
                Lease odd = interlock.lock("a{b}%7Bc").acquire(Duration.ZERO)) {
            assertThat(interlock.lock("order:43").tryAcquire().orElseThrow().release())
                    .isInstanceOf(ReleaseResult.Released.class);
            interlock.pool("sale.v2").create(PoolConfig.of(10));
            Inventory inventory = interlock.inventory();
            assertThat(get(inventory.locks(100))).containsExactly(odd.name(), plain.name());
            assertThat(get(inventory.locks(1))).hasSize(1);
            assertThat(get(inventory.pools(100))).containsExactly("sale.v2");
            assertThat(get(inventory.undecided())).isEmpty();
            assertThat(get(inventory.slowScripts())).isBetween(0.01, 0.99);
            String node = "127.0.0.1:" + server.port();
            await().untilAsserted(() -> assertThat(get(inventory.scripts()))
                    .containsOnlyKeys(node)
                    .extractingByKey(node)
                    .satisfies(scripts -> assertThat(scripts).containsEntry("lock/acquire", true)));
        }
    }

    @Test
    void tellsOfAServerThatIsFull() throws Exception {
        try (RedisServer server = RedisServer.builder()
                        .config("maxmemory", "1kb")
                        .config("maxmemory-policy", "allkeys-lru")
                        .config("appendonly", "yes")
                        .start();
                Interlock interlock = Topology.connect(server)) {
            assertThat(get(interlock.inventory().undecided()))
                    .containsOnlyKeys("master")
                    .allSatisfy((node, why) -> assertThat(why).contains("inventory/probe"));
        }
    }

    @Test
    void givesALockUpAfterAWhile() throws Exception {
        try (RedisServer server = RedisServer.start();
                Interlock interlock = Topology.connect(server)) {
            Lease lease = interlock.lock("job").acquire(Duration.ZERO);
            assertThat(get(interlock.locks().releaseAfter(lease, Duration.ofMillis(300))))
                    .isEqualTo(new ReleaseResult.Released());
            assertThat(lease.isValid()).isFalse();
            assertThat(interlock.lock("job").tryAcquire()).isEmpty();
            assertThat(interlock.lock("job").owner().orElseThrow().remaining().orElseThrow())
                    .isLessThanOrEqualTo(Duration.ofMillis(300));
            assertThat(interlock.lock("job").tryAcquire(Topology.PATIENCE)).isPresent();
            assertThat(get(interlock.locks().releaseAfter(lease, Duration.ofMillis(300))))
                    .isEqualTo(new ReleaseResult.Expired());
        }
    }
}
