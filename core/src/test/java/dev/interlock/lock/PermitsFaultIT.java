// SPDX-License-Identifier: Apache-2.0
package dev.interlock.lock;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.interlock.Interlock;
import dev.interlock.OutcomeUnknownException;
import dev.interlock.Topology;
import dev.interlock.embedded.FaultProxy;
import dev.interlock.internal.LuaScript;
import io.lettuce.core.KillArgs;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Permits under real faults. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class PermitsFaultIT {
    private static final Duration LONG = Duration.ofSeconds(20);

    private Servers servers;
    private FaultProxy proxy;
    /** Reaches the server through the proxy, with a short time-out. */
    private Interlock exposed;

    @BeforeAll
    void start() {
        servers = new Servers(Topology.STANDALONE);
        proxy = FaultProxy.to(servers.server.alone().port());
        exposed = Interlock.builder()
                .uri(proxy.redisUri())
                .commandTimeout(Duration.ofMillis(500))
                .build();
        for (int i = 0; i < 50; i++) {
            exposed.semaphore("warm-up", 1).tryAcquire().ifPresent(Lease::close);
        }
    }

    @AfterAll
    void stop() {
        exposed.close();
        proxy.close();
        servers.close();
    }

    private static Predicate<byte[]> calls(String verb) {
        String sha = LuaScript.own(GateLane.class, verb).sha1();
        return request -> new String(request, StandardCharsets.ISO_8859_1).contains(sha);
    }

    private boolean held(String name) {
        return servers.redis.exists("interlock:semaphore:{" + name + "}") == 1;
    }

    @ParameterizedTest
    @EnumSource(names = {"DROP_REPLY_THEN_FIN", "DROP_REPLY_THEN_CUT"})
    void anAcquireWhoseReplyWasLostCountsOnce(FaultProxy.Mode fault) {
        String name = Topology.name("db");
        long faults = proxy.faults();
        proxy.onceWhen(fault, calls("enter"));
        Lease lease = exposed.semaphore(name, 2).tryAcquire().orElseThrow();
        assertThat(proxy.faults()).isEqualTo(faults + 1);
        assertThat(servers.here.semaphore(name, 2).held()).isOne();
        assertThat(lease.release()).isEqualTo(new ReleaseResult.Released());
        assertThat(held(name)).isFalse();
    }

    @Test
    void afterAPauseLongerThanTheTimeOutNoPhantomStays() {
        String name = Topology.name("db");
        servers.redis.clientPause(2_000);
        assertThatThrownBy(() -> exposed.semaphore(name, 1).tryAcquire()).isInstanceOf(OutcomeUnknownException.class);
        // The first answer comes when the pause is over.
        servers.redis.ping();
        Awaitility.await().atMost(Duration.ofSeconds(1)).until(() -> !held(name));
        Awaitility.await().during(Duration.ofMillis(500)).atMost(LONG).until(() -> !held(name));
    }

    @Test
    void aReleaseWhoseReplyWasLostIsToldAsUnknownAndThePermitIsFreeAllTheSame() {
        String name = Topology.name("db");
        Lease lease = exposed.semaphore(name, 1).tryAcquire().orElseThrow();
        long faults = proxy.faults();
        proxy.onceWhen(FaultProxy.Mode.DROP_REPLY_THEN_CUT, calls("leave"));
        assertThatThrownBy(lease::release).isInstanceOf(OutcomeUnknownException.class);
        assertThat(proxy.faults()).isEqualTo(faults + 1);
        Awaitility.await().atMost(LONG).until(() -> !held(name));
        servers.here.semaphore(name, 1).tryAcquire().orElseThrow().close();
    }

    /** L7 */
    @Test
    void aWaiterHasThePermitWithinASecondThoughThePushWasLost() throws Exception {
        String name = Topology.name("db");
        Lease held = servers.here.semaphore(name, 1).acquire(LONG);
        CompletableFuture<Lease> next =
                servers.there.semaphore(name, 1).async().acquire(LONG).toCompletableFuture();
        Awaitility.await()
                .atMost(LONG)
                .until(() -> servers.redis.exists("interlock:semaphore:{" + name + "}:queue") == 1);
        assertThat(servers.redis.clientKill(KillArgs.Builder.typePubsub())).isPositive();
        held.close();
        next.get(1_500, TimeUnit.MILLISECONDS).close();
    }
}
