// SPDX-License-Identifier: Apache-2.0
package dev.interlock.fault;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.interlock.Interlock;
import dev.interlock.NotExecutedException;
import dev.interlock.Topology;
import dev.interlock.embedded.RedisSentinel;
import dev.interlock.embedded.RedisServer;
import dev.interlock.fault.Traffic.Jvms;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** All primitives on a master found through sentinels, under traffic, while it fails over, dies and hangs. */
class SentinelFaultIT {
    private static final Duration NOTICED = Duration.ofSeconds(2);

    private static final Duration DEFAULT = Duration.ofMillis(200);

    private static RedisSentinel sentinel;

    @BeforeAll
    static void start() {
        sentinel = RedisSentinel.start();
    }

    @AfterAll
    static void stop() {
        sentinel.close();
    }

    @AfterEach
    void isHealthyAgain() {
        Faults.heal(sentinel.nodes());
        sentinel.awaitHealthy();
    }

    private static Traffic traffic(String run, Jvms jvms) {
        return Traffic.start(
                new History("sentinel-" + run, System.nanoTime()),
                jvms,
                List.of(Topology.name("a"), Topology.name("b")));
    }

    /** Runs a fault that ends in another master, and checks that everybody follows in time. */
    private static void survives(String run, Runnable fault, Runnable end) {
        try (Jvms jvms = Jvms.connect(DEFAULT, sentinel.uri());
                Traffic traffic = traffic(run, jvms)) {
            RedisServer before = sentinel.master();
            traffic.history.fault(run + " of " + before);
            long begin = System.nanoTime();
            fault.run();
            sentinel.awaitOtherMasterThan(before);
            Duration failOver = Duration.ofNanos(System.nanoTime() - begin);
            traffic.history.fault("new master after " + failOver);
            traffic.awaitSuccessOfAll();
            end.run();
            traffic.history.fault("end");
            sentinel.awaitHealthy();
            traffic.finish(false);
            if (!run.equals("fail-over")) {
                traffic.metTrouble();
            }
            traffic.recoveredWithin(failOver.plus(NOTICED));
        }
    }

    @Test
    void aFailOverOnDemandIsFollowed() {
        survives("fail-over", sentinel::failOver, () -> {});
    }

    @Test
    void aKilledMasterIsSurvived() {
        RedisServer master = sentinel.master();
        survives("kill", master::kill, master::restart);
    }

    /** Row 26: no connection breaks, and what the old master takes when it goes on is lost, so nobody may stay there. */
    @Test
    void aMasterThatHangsIsLeftAlthoughNoConnectionBreaks() {
        RedisServer master = sentinel.master();
        survives("pause", master::pause, master::resume);
    }

    /** Row 27. */
    @Test
    void withoutEnoughReplicasNothingIsDone() {
        RedisServer master = sentinel.master();
        String name = Topology.name("stock");
        try (Interlock interlock = Interlock.connect(sentinel.uri())) {
            interlock.stock(name).initialize(10);
            master.expectOk("CONFIG", "SET", "min-replicas-to-write", "3");
            try {
                assertThatThrownBy(() -> interlock.stock(name).take(1, "r"))
                        .isInstanceOf(NotExecutedException.class)
                        .hasMessageContaining("NOREPLICAS");
                assertThatThrownBy(() -> interlock.lock(name).tryAcquire())
                        .isInstanceOf(NotExecutedException.class)
                        .hasMessageContaining("NOREPLICAS");
            } finally {
                master.expectOk("CONFIG", "SET", "min-replicas-to-write", "0");
            }
            assertThat(interlock.stock(name).available()).hasValue(10);
            assertThat(interlock.lock(name).tryAcquire()).isPresent();
        }
    }
}
