// SPDX-License-Identifier: Apache-2.0
package dev.interlock.lock;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.interlock.Interlock;
import dev.interlock.NotExecutedException;
import dev.interlock.OutcomeUnknownException;
import dev.interlock.Topology;
import dev.interlock.embedded.FaultProxy;
import dev.interlock.internal.LuaScript;
import io.lettuce.core.KillArgs;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Locks while replies are lost, connections cut, and the server paused, full or restarted. */
class LockFaultIT extends LockSetup {
    private static final Duration TIMEOUT = Duration.ofMillis(500);

    private FaultProxy proxy;
    /** Reaches the server through the proxy, with a short time-out. */
    private Interlock exposed;

    LockFaultIT() {
        super(Topology.STANDALONE);
    }

    @BeforeAll
    void openProxy() {
        proxy = FaultProxy.to(server.alone().port());
        exposed = Interlock.builder()
                .uri(proxy.redisUri())
                .commandTimeout(TIMEOUT)
                .build();
        for (int i = 0; i < 50; i++) {
            exposed.lock("warm-up").tryAcquire().ifPresent(Lease::close);
        }
    }

    @AfterAll
    void closeProxy() {
        exposed.close();
        proxy.close();
    }

    private static Predicate<byte[]> calls(String verb) {
        String sha = LuaScript.own(LockLane.class, verb).sha1();
        return request -> new String(request, StandardCharsets.ISO_8859_1).contains(sha);
    }

    private void goneWithin(String name, Duration time) {
        Awaitility.await().pollInterval(Duration.ofMillis(10)).atMost(time).until(() -> redis.exists(key(name)) == 0);
    }

    @ParameterizedTest
    @EnumSource(names = {"DROP_REPLY_THEN_FIN", "DROP_REPLY_THEN_CUT"})
    void rule1AnAcquireWhoseReplyWasLostCountsOnce(FaultProxy.Mode fault) {
        String name = Topology.name("job");
        long faults = proxy.faults();
        proxy.onceWhen(fault, calls("acquire"));
        Lease lease = exposed.lock(name).tryAcquire().orElseThrow();
        assertThat(proxy.faults()).isEqualTo(faults + 1);
        assertThat(redis.get(key(name))).startsWith(lease.ownerToken() + "\t" + lease.fence());
        assertThat(lease.release()).isEqualTo(new ReleaseResult.Released());
        assertThat(redis.exists(key(name))).isZero();
    }

    @Test
    void rule3AfterAPauseLongerThanTheTimeOutNoPhantomStays() {
        String name = Topology.name("job");
        redis.clientPause(2_500);
        long begin = System.nanoTime();
        assertThatThrownBy(() -> exposed.lock(name).tryAcquire()).isInstanceOf(OutcomeUnknownException.class);
        assertThat(System.nanoTime() - begin).isLessThan(TimeUnit.MILLISECONDS.toNanos(2_000));
        // The first answer comes when the pause is over.
        redis.ping();
        goneWithin(name, Duration.ofSeconds(1));
        Awaitility.await()
                .during(Duration.ofMillis(500))
                .atMost(Duration.ofSeconds(2))
                .until(() -> redis.exists(key(name)) == 0);
    }

    @Test
    void rule3AnAcquireIntoABlackHoleIsUndoneOverAnotherConnection() {
        String name = Topology.name("job");
        long faults = proxy.faults();
        proxy.onceWhen(FaultProxy.Mode.BLACKHOLE_REPLIES, calls("acquire"));
        assertThatThrownBy(() -> exposed.lock(name).tryAcquire()).isInstanceOf(OutcomeUnknownException.class);
        assertThat(proxy.faults()).isGreaterThan(faults);
        proxy.cutAll();
        goneWithin(name, Duration.ofSeconds(2));
        exposed.lock(name).async().acquire(LONG).toCompletableFuture().join().close();
    }

    @Test
    void aGrantWhoseReplyCameAfterItsEndIsReportedAsAFailureAndReleased() {
        String name = Topology.name("job");
        proxy.delay(Duration.ofMillis(60));
        try {
            assertThatThrownBy(() -> exposed.lock(name, LockOptions.DEFAULTS.withoutRenewal(Duration.ofMillis(50)))
                            .tryAcquire())
                    .isInstanceOf(OutcomeUnknownException.class);
        } finally {
            proxy.delay(Duration.ZERO);
        }
        goneWithin(name, Duration.ofSeconds(1));
    }

    @ParameterizedTest
    @EnumSource(names = {"DROP_REPLY_THEN_CUT", "CUT_BEFORE_REQUEST"})
    void aReleaseWithoutReplyIsUnknownAndEndsTheRenewal(FaultProxy.Mode fault) {
        String name = Topology.name("job");
        Lease lease =
                exposed.lock(name, leased(Duration.ofSeconds(1))).tryAcquire().orElseThrow();
        proxy.onceWhen(fault, calls("release"));
        assertThatThrownBy(lease::release).isInstanceOf(OutcomeUnknownException.class);
        assertThat(lease.isValid()).isFalse();
        goneWithin(name, Duration.ofSeconds(2));
        assertThat(lease.release()).isEqualTo(new ReleaseResult.Expired());
    }

    @Test
    void aFullServerRefusesAcquiresButRenewsAndReleases() {
        String name = Topology.name("job");
        Lease lease =
                here.lock(name, leased(Duration.ofSeconds(2))).tryAcquire().orElseThrow();
        redis.configSet("maxmemory", "1");
        try {
            assertThatThrownBy(() -> here.lock(Topology.name("other")).tryAcquire())
                    .isInstanceOf(NotExecutedException.class)
                    .hasMessageContaining("OOM");
            lease.extend(Duration.ofSeconds(30));
            assertThat(redis.pttl(key(name))).isGreaterThan(10_000);
            assertThat(lease.release()).isEqualTo(new ReleaseResult.Released());
            assertThat(redis.exists(key(name))).isZero();
        } finally {
            redis.configSet("maxmemory", "0");
        }
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void rule7AWaiterWhosePushIsLostHasTheLockWithinASecond(boolean free) throws Exception {
        String name = Topology.name("job");
        Lease lease = there.lock(name).acquire(LONG);
        CompletableFuture<Lease> waiting = here.lock(name).async().acquire(LONG).toCompletableFuture();
        Awaitility.await()
                .atMost(LONG)
                .until(() -> there.lock(name).owner().orElseThrow().waiting() == 1);
        // Two at once, so that the release meets the gap before the subscription is renewed.
        assertThat(redis.clientKill(KillArgs.Builder.typePubsub())).isPositive();
        if (free) {
            redis.del(key(name));
        } else {
            lease.async().release();
        }
        long released = System.nanoTime();
        Lease next = waiting.get(5, TimeUnit.SECONDS);
        assertThat(System.nanoTime() - released).isLessThan(TimeUnit.MILLISECONDS.toNanos(1_100));
        next.close();
        lease.close();
    }

    @Test
    void rule6FencesGrowAfterARestartWithoutPersistence() throws Exception {
        String name = Topology.name("job");
        Lease lost = here.lock(name).acquire(LONG);
        server.alone().kill();
        server.alone().restart();
        Lease next = Awaitility.await()
                .ignoreExceptionsInstanceOf(NotExecutedException.class)
                .atMost(LONG)
                .until(() -> there.lock(name).tryAcquire(), Optional::isPresent)
                .orElseThrow();
        assertThat(next.fence()).isGreaterThan(lost.fence());
        Awaitility.await().atMost(LONG).until(() -> !lost.isValid());
        next.close();
        lost.close();
    }

    @Test
    void rule8AWaitEndsInTimeAlsoWhenTheServerIsDead() {
        String name = Topology.name("job");
        server.alone().pause();
        try {
            LockDeadlines.endsInTime(
                    Duration.ofMillis(700),
                    wait -> assertThatThrownBy(() -> here.lock(name).tryAcquire(wait))
                            .isInstanceOf(OutcomeUnknownException.class));
        } finally {
            server.alone().resume();
        }
        goneWithin(name, Duration.ofSeconds(2));
    }
}
