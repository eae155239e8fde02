// SPDX-License-Identifier: Apache-2.0
package dev.interlock.flashsale.rush;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.interlock.embedded.PostgresServer;
import dev.interlock.embedded.RedisServer;
import dev.interlock.flashsale.Command;
import dev.interlock.flashsale.console.Cleanup;
import dev.interlock.flashsale.console.Progress;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;

class RushIT {
    private static RedisServer redis;
    private static PostgresServer postgres;

    @TempDir
    private Path directory;

    @BeforeAll
    static void startServers() {
        redis = RedisServer.start();
        postgres = PostgresServer.start();
    }

    @AfterAll
    static void stopServers() {
        postgres.close();
        redis.close();
    }

    private Command rushOnGivenServers(String... options) {
        String[] all = new String[options.length + 6];
        System.arraycopy(
                new String[] {"rush", "--redis", redis.uri(), "--db", postgres.jdbcUrl(), "--json"}, 0, all, 0, 6);
        System.arraycopy(options, 0, all, 6, options.length);
        return Command.start(directory, all);
    }

    @Test
    void givesOutEveryCouponOnceAndTellsEveryoneTheTruth() {
        Workload workload = new Workload(100, 5_000, 4_000, 1_000, 3);
        RushSettings settings = new RushSettings(workload, 1, List.of(redis.uri()), postgres.jdbcUrl());
        Result result;
        try (Cleanup cleanup = new Cleanup("test")) {
            result = new Rush(settings, "unused", Progress.onErrorStream(), cleanup).run();
        }

        Facts facts = result.facts();
        assertThat(result.verdict().invariants()).allMatch(Invariant::held);
        assertThat(facts.database().units()).isEqualTo(100);
        assertThat(facts.promises().kept()).isEqualTo(100);
        assertThat(facts.tally().count(Answer.ISSUED)).isEqualTo(100);
        assertThat(facts.tally().count(Answer.SOLD_OUT)).isGreaterThan(4_000);
        assertThat(facts.tally().count(Answer.REPLAYED)).isPositive();
        assertThat(facts.tally().count(Answer.ALREADY_ISSUED)).isPositive();
        assertThat(facts.tally().total()).isEqualTo(5_000);
        assertThat(facts.tally().nanos().getTotalCount()).isEqualTo(5_000);
    }

    @Test
    void leavesCouponsOverWhenThereAreFewerUsers() {
        Command command = rushOnGivenServers("--coupons", "100", "--requests", "2000", "--users", "60");

        assertThat(command.awaitExit()).as(command.err()).isZero();
        JsonNode json = command.json();
        assertThat(json.get("issued").asInt()).isEqualTo(60);
        assertThat(json.get("soldOut").asInt()).isZero();
        assertThat(json.get("alreadyIssued").asInt()).isGreaterThan(1_000);
    }

    @Test
    void nodesInProcessesOfTheirOwnShareOnePoolOnServersOfTheRush() {
        Command command = Command.start(
                directory, "rush", "--coupons", "100", "--requests", "5000", "--nodes", "2", "--seed", "5", "--json");

        assertThat(command.awaitExit()).as(command.err()).isZero();
        assertThat(command.out().lines()).hasSize(1);
        JsonNode json = command.json();
        assertThat(json.propertyNames())
                .contains("coupons", "requests", "users", "issued", "alreadyIssued", "soldOut", "replayed", "unknown")
                .contains("oversold", "duplicateUsers", "recorded", "outboxPending", "drift", "invariantsHeld")
                .contains("elapsedMillis", "recordedMillis", "decisionsPerSecond", "redisVersion", "database", "pool");
        assertThat(json.get("latencyMicros").propertyNames()).containsExactly("p50", "p99", "p999", "max");
        assertThat(json.get("invariantsHeld").asBoolean()).isTrue();
        assertThat(json.get("issued").asInt()).isEqualTo(100);
        assertThat(json.get("recorded").asInt()).isEqualTo(100);
        assertThat(json.get("users").asInt()).isEqualTo(4_500);
        assertThat(json.get("nodes").asInt()).isEqualTo(2);
        assertThat(json.get("seed").asInt()).isEqualTo(5);
        assertThat(sum(json, "issued", "alreadyIssued", "soldOut", "replayed", "unknown"))
                .isEqualTo(5_000);
        assertThat(json.get("redisVersion").asString()).matches("\\d+\\.\\d+\\.\\d+|Valkey .*");
        assertThat(json.get("database").asString()).startsWith("PostgreSQL ");
    }

    private static int sum(JsonNode json, String... fields) {
        int sum = 0;
        for (String field : fields) {
            sum += json.get(field).asInt();
        }
        return sum;
    }

    @Test
    void onGivenServersTheRowsStayAndOtherPoolsAreUntouched() throws SQLException {
        Command first = rushOnGivenServers("--coupons", "20", "--requests", "200");
        assertThat(first.awaitExit()).as(first.err()).isZero();
        String firstPool = first.json().get("pool").asString();

        Command second = rushOnGivenServers("--coupons", "30", "--requests", "300", "--nodes", "2");
        assertThat(second.awaitExit()).as(second.err()).isZero();

        assertThat(units(firstPool)).isEqualTo(20);
        assertThat(units(second.json().get("pool").asString())).isEqualTo(30);
    }

    private static int units(String pool) throws SQLException {
        try (Connection connection = DriverManager.getConnection(postgres.jdbcUrl());
                PreparedStatement count = connection.prepareStatement(
                        "SELECT count(DISTINCT user_id) FROM interlock_event WHERE pool = ? AND kind = 'ISSUED'")) {
            count.setString(1, pool);
            try (ResultSet rows = count.executeQuery()) {
                rows.next();
                return rows.getInt(1);
            }
        }
    }

    @Test
    void aWrongOptionIsOneLineFromTheJarToo() {
        Command command = Command.start(directory, "rush", "--coupons", "many");

        assertThat(command.awaitExit()).isEqualTo(2);
        assertThat(command.out()).isEmpty();
        assertThat(command.err().lines()).hasSize(1);
    }

    @Test
    void killedItLeavesNoProcessBehind() {
        try (Command command = Command.start(directory, "rush", "--requests", "100000000", "--nodes", "2")) {
            command.awaitSaid("pool rush-");
            List<ProcessHandle> started = command.descendants();
            assertThat(started)
                    .as("two nodes, two guards, their servers")
                    .hasSizeGreaterThanOrEqualTo(6)
                    .noneMatch(Command::isGone);

            command.kill();

            await().atMost(Duration.ofSeconds(10)).until(() -> started.stream().allMatch(Command::isGone));
        }
    }

    @Test
    void aNodeThatDiesFailsTheRushAtOnce() {
        try (Command command = rushOnGivenServers("--requests", "100000000", "--nodes", "2")) {
            command.awaitSaid("pool rush-");
            List<ProcessHandle> nodes = command.descendants();
            assertThat(nodes).hasSize(2);

            nodes.get(0).destroyForcibly();

            assertThat(command.awaitExit()).isEqualTo(1);
            assertThat(command.out()).isEmpty();
            assertThat(command.err()).contains("interlock rush: node ").doesNotContain("\tat ");
            await().atMost(Duration.ofSeconds(5)).until(() -> nodes.stream().allMatch(Command::isGone));
        }
    }

    @Test
    void interruptedItStopsWhatItHasStartedAndSaysSoInOneLine() {
        try (Command command = Command.start(directory, "rush", "--requests", "100000000")) {
            command.awaitSaid("pool rush-");
            List<ProcessHandle> started = command.descendants();
            assertThat(started).isNotEmpty().noneMatch(Command::isGone);

            command.terminate();

            // 128 + the number of the signal, as for Ctrl-C, which is 130.
            assertThat(command.awaitExit()).isEqualTo(143);
            assertThat(command.out()).isEmpty();
            assertThat(command.err().lines().filter(line -> !line.startsWith("deciding: ")))
                    .last()
                    .asString()
                    .contains("interrupted");
            assertThat(command.err()).doesNotContain("Exception");
            await().atMost(Duration.ofSeconds(5)).until(() -> started.stream().allMatch(Command::isGone));
        }
    }
}
