// SPDX-License-Identifier: Apache-2.0
package dev.interlock.script.lint;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.interlock.embedded.RedisServer;
import io.lettuce.core.RedisClient;
import io.lettuce.core.api.StatefulRedisConnection;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.assertj.core.api.ThrowableAssertAlternative;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

class ScriptAssertIT {
    private enum Kind {
        STANDALONE,
        CLUSTER
    }

    private static final Map<Kind, RedisServer> SERVERS = new EnumMap<>(Kind.class);

    @BeforeAll
    static void start() {
        SERVERS.put(Kind.STANDALONE, RedisServer.start());
        SERVERS.put(Kind.CLUSTER, RedisServer.builder().clusterEnabled().start());
    }

    @AfterAll
    static void stop() {
        SERVERS.values().forEach(RedisServer::close);
    }

    /** Case S8. In one slot of a cluster, too, where the server by itself would not mind. */
    @ParameterizedTest
    @EnumSource
    void findsAKeyBuiltInTheScriptBothByReadingAndByRunningIt(Kind kind) {
        ScriptAssert script = script("stock_built.lua");
        assertFails(script::hasNoFindings).withMessageContaining("stock_built.lua:10: L11");
        String inSlotOfOrders = "{stock:A001}:orders"; // stock:A001 has the slot of its tag
        assertFails(() -> script.runsWithDeclaredKeysOnly(uri(kind), List.of(inSlotOfOrders), List.of("A001")))
                .withMessageContaining("key stock:A001");
    }

    /** Case S8, the good variant. */
    @ParameterizedTest
    @EnumSource
    void passesTheScriptThatDeclaresItsKeys(Kind kind) {
        script("stock_declared.lua")
                .hasNoFindings()
                .runsWithDeclaredKeysOnly(uri(kind), List.of("{A001}:orders", "{A001}:stock"), List.of());
    }

    @ParameterizedTest
    @ValueSource(strings = {"st*", "st?ck", "st[n-p]ck", "st\\ock", "*", "with space", "ключ", "😀", ""})
    void allowsAKeyAsItIsWrittenAndNotAsAPattern(String key) {
        String source = "#!lua\nredis.call('SET', KEYS[1], 1)\nreturn redis.call('GET', ARGV[1])";
        ScriptAssert script = ScriptAssert.assertThat("pattern", source);
        script.runsWithDeclaredKeysOnly(uri(Kind.STANDALONE), List.of(key), List.of(key));
        assertFails(() -> script.runsWithDeclaredKeysOnly(uri(Kind.STANDALONE), List.of(key), List.of("stock")))
                .withMessageContaining("key stock;");
    }

    @Test
    void findsARefusalThatTheScriptCatches() {
        ScriptAssert script = ScriptAssert.assertThat("catches", "#!lua\nredis.pcall('GET', 'hidden')\nreturn 1");
        assertFails(() -> script.runsWithDeclaredKeysOnly(uri(Kind.STANDALONE), List.of(), List.of()))
                .withMessageContaining("key hidden");
    }

    @ParameterizedTest
    @ValueSource(strings = {"KEYS", "SCAN", "RANDOMKEY", "FLUSHALL"})
    void refusesCommandsThatReachBeyondKeys(String command) {
        String arguments = Map.of("KEYS", ", '*'", "SCAN", ", 0").getOrDefault(command, "");
        ScriptAssert script =
                ScriptAssert.assertThat("beyond", "#!lua\nreturn redis.call('" + command + "'" + arguments + ")");
        assertFails(() -> script.runsWithDeclaredKeysOnly(uri(Kind.STANDALONE), List.of(), List.of()))
                .withMessageContainingAll("command", command.toLowerCase(Locale.ROOT));
    }

    @ParameterizedTest
    @ValueSource(strings = {"nil", "7", "'text'", "{1, {false, 'a', {}}, 'b'}", "{ok = 'fine'}"})
    void takesRepliesOfAnyShape(String reply) {
        ScriptAssert.assertThat("shape", "#!lua\nreturn " + reply)
                .runsWithDeclaredKeysOnly(uri(Kind.STANDALONE), List.of(), List.of());
    }

    @Test
    void failsWithTheErrorOfTheScript() {
        ScriptAssert script = ScriptAssert.assertThat("fails", "#!lua\nreturn redis.error_reply('ERR out of soap')");
        assertFails(() -> script.runsWithDeclaredKeysOnly(uri(Kind.STANDALONE), List.of(), List.of()))
                .withMessageContaining("script fails failed: ERR out of soap");
    }

    @Test
    void leavesNoUserBehind() {
        ScriptAssert script = ScriptAssert.assertThat("user", "#!lua\nreturn redis.call('GET', ARGV[1])");
        assertFails(() -> script.runsWithDeclaredKeysOnly(uri(Kind.STANDALONE), List.of("a"), List.of("b")));
        script.runsWithDeclaredKeysOnly(uri(Kind.STANDALONE), List.of("a"), List.of("a"));
        try (RedisClient client = RedisClient.create(uri(Kind.STANDALONE));
                StatefulRedisConnection<String, String> connection = client.connect()) {
            assertThat(connection.sync().aclUsers()).containsExactly("default");
        }
    }

    @Test
    void saysThatTheServerCannotBeReached() {
        ScriptAssert script = ScriptAssert.assertThat("none", "#!lua\nreturn 1");
        assertThatExceptionOfType(IllegalStateException.class)
                .isThrownBy(() -> script.runsWithDeclaredKeysOnly("redis://127.0.0.1:1", List.of(), List.of()));
    }

    @Test
    void readsTheScriptFromAFile(@TempDir Path folder) throws IOException {
        Path file = Files.writeString(folder.resolve("mine.lua"), ScriptLintTest.resource("stock_built.lua"));
        assertFails(ScriptAssert.assertThat(file)::hasNoFindings).withMessageContaining("mine.lua:10: L11");
    }

    private static ThrowableAssertAlternative<AssertionError> assertFails(ThrowingCallable assertion) {
        return assertThatExceptionOfType(AssertionError.class).isThrownBy(assertion);
    }

    private static ScriptAssert script(String name) {
        return ScriptAssert.assertThat(name, ScriptLintTest.resource(name));
    }

    private static String uri(Kind kind) {
        return SERVERS.get(kind).uri();
    }
}
