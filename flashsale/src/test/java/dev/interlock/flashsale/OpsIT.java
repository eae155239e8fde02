// SPDX-License-Identifier: Apache-2.0
package dev.interlock.flashsale;

import static org.assertj.core.api.Assertions.assertThat;

import dev.interlock.embedded.RedisServer;
import io.lettuce.core.RedisClient;
import io.lettuce.core.api.StatefulRedisConnection;
import io.lettuce.core.codec.StringCodec;
import io.lettuce.core.output.StatusOutput;
import io.lettuce.core.protocol.CommandArgs;
import io.lettuce.core.protocol.ProtocolKeyword;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The commands for administrators and authors of scripts, as they are typed. */
class OpsIT {
    private static final Path LINT_CASES = Path.of("../core/src/test/resources/dev/interlock/script/lint");

    private final PrintStream realOut = System.out;
    private final PrintStream realErr = System.err;
    private final ByteArrayOutputStream out = new ByteArrayOutputStream();
    private final ByteArrayOutputStream err = new ByteArrayOutputStream();

    @TempDir
    private Path folder;

    @BeforeEach
    void listen() {
        System.setOut(new PrintStream(out, true, StandardCharsets.UTF_8));
        System.setErr(new PrintStream(err, true, StandardCharsets.UTF_8));
    }

    @AfterEach
    void restore() {
        System.setOut(realOut);
        System.setErr(realErr);
    }

    private String printed() {
        return out.toString(StandardCharsets.UTF_8);
    }

    private String complained() {
        return err.toString(StandardCharsets.UTF_8);
    }

    @Test
    void lintFindsNothingInOurOwnScripts() {
        assertThat(Main.execute("lint", "../core/src/main/resources/dev/interlock/pool"))
                .isZero();
        assertThat(printed()).containsPattern("\\d+ scripts, 0 findings");
    }

    @Test
    void lintNamesFileLineReasonAndMend() {
        assertThat(Main.execute("lint", LINT_CASES.resolve("random.lua").toString()))
                .isEqualTo(1);
        assertThat(printed())
                .containsPattern("random\\.lua:\\d+: L\\d\\d .* Mend: .*")
                .contains("1 scripts, ");
    }

    @Test
    void lintOfWhatCannotBeReadIsOneLine() throws IOException {
        Path binary = Files.write(folder.resolve("x.lua"), new byte[] {(byte) 0xff, (byte) 0xfe});
        assertThat(Main.execute("lint", "no/such/file.lua")).isEqualTo(1);
        assertThat(Main.execute("lint", binary.toString())).isEqualTo(1);
        assertThat(Main.execute(
                        "lint", Files.createDirectory(folder.resolve("empty")).toString()))
                .isEqualTo(1);
        assertThat(complained().lines()).hasSize(3).allMatch(line -> line.startsWith("interlock lint: "));
        assertThat(complained()).contains("does not exist", "is not UTF-8", "there is no *.lua file");
        assertThat(printed()).isEmpty();
    }

    @Test
    void doctorFindsWhatCouldBeLostAndFailsWhereLocksCanBeEvicted() {
        try (RedisServer server = RedisServer.start()) {
            assertThat(Main.execute("doctor", server.uri())).isZero();
            assertThat(printed()).contains("WARN 127.0.0.1:" + server.port() + " persistence: AOF is off");
            configure(server, "maxmemory", "100mb");
            configure(server, "maxmemory-policy", "allkeys-lru");
            assertThat(Main.execute("doctor", "--functions", server.uri())).isEqualTo(1);
            assertThat(printed()).contains("FAIL 127.0.0.1:" + server.port() + " eviction: ");
            assertThat(complained()).isEmpty();
        }
    }

    @Test
    void functionsAreMissingUntilTheyAreDeployed() {
        try (RedisServer server = RedisServer.start()) {
            assertThat(Main.execute("functions", "status", server.uri())).isEqualTo(1);
            assertThat(printed()).contains("missing interlock_pool_issue_v1_");
            assertThat(Main.execute("functions", "deploy", server.uri())).isZero();
            out.reset();
            assertThat(Main.execute("functions", "status", "--all", server.uri()))
                    .isZero();
            assertThat(printed()).contains(", 0 missing, 0 of other versions", "present interlock_pool_issue_v1_");
        }
    }

    @Test
    void theRulesThatAclPrintsAreTakenByRedis() {
        assertThat(Main.execute("acl", "--functions", "--prefix", "shop")).isZero();
        assertThat(printed().lines()).hasSize(2).allMatch(line -> line.startsWith("ACL SETUSER "));
        try (RedisServer server = RedisServer.start()) {
            RedisClient client = RedisClient.create(server.uri());
            try (StatefulRedisConnection<String, String> connection = client.connect()) {
                printed().lines().forEach(line -> {
                    CommandArgs<String, String> args = new CommandArgs<>(StringCodec.UTF8);
                    String[] words = line.split(" ");
                    for (int i = 1; i < words.length; i++) {
                        args.add(words[i]);
                    }
                    ProtocolKeyword acl = () -> words[0].getBytes(StandardCharsets.US_ASCII);
                    assertThat(connection.sync().dispatch(acl, new StatusOutput<>(StringCodec.UTF8), args))
                            .isEqualTo("OK");
                });
            } finally {
                client.shutdown();
            }
        }
        assertThat(Main.execute("acl", "--prefix", "a b")).isEqualTo(2);
        assertThat(complained()).startsWith("interlock acl: --prefix: ").hasLineCount(1);
    }

    @ParameterizedTest
    @ValueSource(strings = {"doctor", "functions deploy", "functions status"})
    void aServerThatDoesNotAnswerIsOneLineAndAPasswordIsNotRepeated(String command) {
        assertThat(Main.execute((command + " redis://app:s3cret@127.0.0.1:1").split(" ")))
                .isEqualTo(1);
        assertThat(complained().lines().filter(line -> line.startsWith("interlock " + command + ": ")))
                .singleElement()
                .asString()
                .contains("cannot connect to Redis");
        assertThat(Main.execute((command + " s3cret").split(" "))).isEqualTo(2);
        assertThat(complained()).doesNotContain("s3cret").doesNotContain("\tat ");
        assertThat(printed()).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(strings = {"doctor", "lint", "functions deploy", "functions status", "acl"})
    void helpNamesTheExitCodes(String command) {
        assertThat(Main.execute((command + " --help").split(" "))).isZero();
        assertThat(printed()).contains("Exit codes:", "interlock " + command);
        assertThat(Main.execute("functions")).isEqualTo(2);
        assertThat(complained()).contains("a command is missing");
    }

    private static void configure(RedisServer server, String setting, String value) {
        RedisClient client = RedisClient.create(server.uri());
        try (StatefulRedisConnection<String, String> connection = client.connect()) {
            connection.sync().configSet(setting, value);
        } finally {
            client.shutdown();
        }
    }
}
