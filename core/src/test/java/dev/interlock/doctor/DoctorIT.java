// SPDX-License-Identifier: Apache-2.0
package dev.interlock.doctor;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.interlock.AccessRules;
import dev.interlock.Deployment;
import dev.interlock.Interlock;
import dev.interlock.ScriptMode;
import dev.interlock.Topology;
import dev.interlock.doctor.Diagnosis.Level;
import dev.interlock.embedded.RedisServer;
import io.lettuce.core.RedisClient;
import io.lettuce.core.ScriptOutputType;
import io.lettuce.core.api.StatefulRedisConnection;
import io.lettuce.core.codec.StringCodec;
import io.lettuce.core.output.StatusOutput;
import io.lettuce.core.protocol.CommandArgs;
import io.lettuce.core.protocol.CommandType;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/** What the doctor finds on real servers. */
class DoctorIT {
    private static Map<String, Diagnosis> bySubject(List<Diagnosis> found) {
        return found.stream().collect(Collectors.toMap(Diagnosis::subject, Function.identity()));
    }

    @Test
    void aServerAsItComesIsUsableButLosesDataAndIsOpen() {
        try (RedisServer server = RedisServer.start();
                Interlock interlock = Topology.connect(server)) {
            List<Diagnosis> found = interlock.doctor().examine();
            assertThat(found).allSatisfy(each -> assertThat(each.node()).isEqualTo("127.0.0.1:" + server.port()));
            assertThat(found).noneMatch(each -> each.level() == Level.FAIL);
            Map<String, Diagnosis> by = bySubject(found);
            assertThat(by.get("persistence").toString()).startsWith("WARN").contains("AOF is off", "Mend: ");
            assertThat(by.get("user").finding()).contains("no password");
            assertThat(by.get("version").finding()).contains("CVE-2025-49844");
            assertThat(by.get("scripts").level()).isEqualTo(Level.OK);
            assertThat(by.get("role").finding()).isEqualTo("master with 0 replicas");
            assertThat(by.get("clock").level()).isEqualTo(Level.OK);
            assertThat(by.get("tracking").level()).isEqualTo(Level.OK);
            assertThat(by.get("eviction").level()).isEqualTo(Level.OK);
            assertThat(by).doesNotContainKeys("cluster", "replicas", "info");
            assertThat(interlock
                            .doctor()
                            .async()
                            .examine()
                            .toCompletableFuture()
                            .join())
                    .hasSameSizeAs(found);
            assertThat(interlock.doctor().reactive().examine().block()).hasSameSizeAs(found);
        }
    }

    @ParameterizedTest
    @EnumSource
    void everyMasterOfEveryTopologyIsExamined(Topology topology) {
        try (Deployment deployment = topology.start();
                Interlock interlock = Topology.connect(deployment)) {
            List<Diagnosis> found = interlock.doctor().examine();
            assertThat(found).noneMatch(each -> each.level() == Level.FAIL);
            assertThat(found.stream().filter(each -> each.subject().equals("role")))
                    .hasSize(topology == Topology.CLUSTER ? 3 : 1)
                    .allMatch(each -> each.finding().startsWith("master"));
            assertThat(found.stream().filter(each -> each.subject().equals("cluster")))
                    .hasSize(topology == Topology.CLUSTER ? 3 : 0);
            assertThat(found.stream().filter(each -> each.subject().equals("replicas")))
                    .hasSize(topology == Topology.CLUSTER ? 3 : topology == Topology.SENTINEL ? 1 : 0)
                    .allMatch(each -> each.finding().contains("min-replicas-to-write is 0"));
        }
    }

    @Test
    void aServerThatEvictsFailsAndOneThatPersistsIsPraised() {
        try (RedisServer server = RedisServer.builder()
                        .config("maxmemory", "100mb")
                        .config("maxmemory-policy", "volatile-lru")
                        .config("appendonly", "yes")
                        .config("busy-reply-threshold", "60000")
                        .start();
                Interlock interlock = Topology.connect(server)) {
            Map<String, Diagnosis> by = bySubject(interlock.doctor().examine());
            assertThat(by.get("eviction").level()).isEqualTo(Level.FAIL);
            assertThat(by.get("eviction").finding()).contains("volatile-lru");
            assertThat(by.get("persistence").finding()).contains("every second");
            assertThat(by.get("busy").level()).isEqualTo(Level.WARN);
        }
    }

    @Test
    void aUserWhoMayAlmostNothingGetsAnExaminationOfWhatIsReadable() {
        try (RedisServer server = RedisServer.start()) {
            RedisClient client = RedisClient.create(server.uri());
            try (StatefulRedisConnection<String, String> admin = client.connect()) {
                CommandArgs<String, String> args =
                        new CommandArgs<>(StringCodec.UTF8).add("SETUSER").add("app");
                args.add("on").add(">secret");
                AccessRules.of(ScriptMode.EVALSHA, "interlock").application().forEach(args::add);
                args.add("-info").add("-time");
                admin.sync().dispatch(CommandType.ACL, new StatusOutput<>(StringCodec.UTF8), args);
            } finally {
                client.shutdown();
            }
            String uri = "redis://app:secret@127.0.0.1:" + server.port();
            try (Interlock interlock = Interlock.builder().uri(uri).build()) {
                Map<String, Diagnosis> by = bySubject(interlock.doctor().examine());
                assertThat(by.values()).noneMatch(each -> each.level() == Level.FAIL);
                assertThat(by.get("info").level()).isEqualTo(Level.WARN);
                assertThat(by.get("busy").finding()).contains("CONFIG is refused");
                assertThat(by.get("user").finding()).contains("ACL WHOAMI is refused");
                assertThat(by.get("clock").finding()).contains("TIME is refused");
            }
        }
    }

    @Test
    void aClusterThatMissesSlotsFails() {
        try (RedisServer server = RedisServer.builder().clusterEnabled().start();
                Interlock interlock = Topology.connect(server)) {
            assertThat(bySubject(interlock.doctor().examine()).get("cluster").level())
                    .isEqualTo(Level.OK);
            RedisClient client = RedisClient.create(server.uri());
            try (StatefulRedisConnection<String, String> admin = client.connect()) {
                admin.sync().clusterDelSlots(7);
            } finally {
                client.shutdown();
            }
            Diagnosis cluster = bySubject(interlock.doctor().examine()).get("cluster");
            assertThat(cluster.level()).isEqualTo(Level.FAIL);
            assertThat(cluster.finding()).contains("16383 of 16384");
        }
    }

    @ParameterizedTest
    @CsvSource({"true, 'spin, for \\d+ ms, called as FCALL spin 0'", "false, 'one by EVAL or EVALSHA'"})
    void whatKeepsAServerBusyIsToldAlsoToWhoConnectsThen(boolean function, String told) {
        try (RedisServer server =
                RedisServer.builder().config("busy-reply-threshold", "100").start()) {
            RedisClient client = RedisClient.create(server.uri());
            try (StatefulRedisConnection<String, String> other = client.connect();
                    StatefulRedisConnection<String, String> killer = client.connect()) {
                other.sync()
                        .functionLoad(
                                "#!lua name=spin\nredis.register_function('spin', function() while true do end end)");
                CompletableFuture<Object> running = (function
                                ? other.async().fcall("spin", ScriptOutputType.INTEGER)
                                : other.async().eval("while true do end", ScriptOutputType.INTEGER))
                        .toCompletableFuture();
                await().atMost(Topology.PATIENCE).until(() -> busy(killer));
                try (Interlock interlock = Topology.connect(server)) {
                    assertThat(interlock.doctor().examine()).singleElement().satisfies(each -> {
                        assertThat(each.level()).isEqualTo(Level.FAIL);
                        assertThat(each.finding()).containsPattern(told);
                    });
                    interlock.scripts().killRunning();
                }
                assertThat(running).failsWithin(Topology.PATIENCE);
            } finally {
                client.shutdown();
            }
        }
    }

    private static boolean busy(StatefulRedisConnection<String, String> connection) {
        try {
            connection.sync().ping();
            return false;
        } catch (io.lettuce.core.RedisBusyException e) {
            return true;
        }
    }
}
