// SPDX-License-Identifier: Apache-2.0
package dev.interlock.lock;

import static org.assertj.core.api.Assertions.assertThat;

import dev.interlock.Deployment;
import dev.interlock.Interlock;
import dev.interlock.Topology;
import io.lettuce.core.cluster.api.sync.RedisClusterCommands;
import java.time.Duration;
import java.util.List;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.TestInstance;

/** A server, two Interlocks as two JVMs have them, and a plain client to look at the keys. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
abstract class LockSetup {
    static final Duration LONG = Duration.ofSeconds(20);
    static final Duration SHORT = Duration.ofMillis(60);

    private final Topology topology;
    Deployment server;
    Interlock here;
    Interlock there;
    RedisClusterCommands<String, String> redis;

    LockSetup(Topology topology) {
        this.topology = topology;
    }

    @BeforeAll
    void start() {
        server = topology.start();
        here = Topology.connect(server);
        there = Topology.connect(server);
        redis = server.redis();
        // A first call takes a while: classes are loaded and connections opened.
        for (Interlock jvm : List.of(here, there)) {
            for (int i = 0; i < 50; i++) {
                jvm.lock("warm-up").tryAcquire().ifPresent(Lease::close);
            }
        }
    }

    @AfterAll
    void stop() {
        here.close();
        there.close();
        server.close();
    }

    /** Whatever a test did, every key it left has a TTL. */
    @AfterEach
    void noKeyIsWithoutTtl() {
        assertThat(redis.keys("interlock:lock:*"))
                .allSatisfy(key -> assertThat(redis.pttl(key)).as(key).isNotEqualTo(-1));
    }

    static String key(String name) {
        return "interlock:lock:{" + name + "}";
    }

    static LockOptions leased(Duration time) {
        return LockOptions.DEFAULTS.withLeaseTime(time);
    }

    /** Once the last waiter and holder are gone only the fence is left. */
    void onlyTheFenceIsLeft(String name) {
        Awaitility.await()
                .atMost(LONG)
                .untilAsserted(() -> assertThat(redis.keys(key(name) + "*")).containsExactly(key(name) + ":fence"));
    }
}
