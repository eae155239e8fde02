// SPDX-License-Identifier: Apache-2.0
package dev.interlock.script;

import static dev.interlock.script.ScriptArgs.args;
import static dev.interlock.script.ScriptKeys.keys;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.interlock.AccessRules;
import dev.interlock.Interlock;
import dev.interlock.InterlockBuilder;
import dev.interlock.NotExecutedException;
import dev.interlock.ScriptException;
import dev.interlock.ScriptMode;
import dev.interlock.Topology;
import dev.interlock.embedded.RedisServer;
import io.lettuce.core.FlushMode;
import io.lettuce.core.RedisClient;
import io.lettuce.core.api.sync.RedisCommands;
import io.lettuce.core.codec.StringCodec;
import io.lettuce.core.output.StatusOutput;
import io.lettuce.core.protocol.CommandArgs;
import io.lettuce.core.protocol.CommandType;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Scripts as functions of Redis. */
class FunctionsIT {
    private static final String COUNTING = """
            #!lua
            -- Counts.
            -- KEYS[1] counter  string
            -- ARGV[1] step     units, 1 to 1000
            -- Returns the count
            -- Cost    O(1)
            -- Retry   unsafe: counts again
            return redis.call('INCRBY', KEYS[1], ARGV[1])
            """;

    private RedisServer server;
    private RedisClient rawClient;
    private RedisCommands<String, String> raw;

    @BeforeEach
    void start() {
        server = RedisServer.start();
        rawClient = RedisClient.create(server.uri());
        raw = rawClient.connect().sync();
    }

    @AfterEach
    void stop() {
        rawClient.shutdown();
        server.close();
    }

    private InterlockBuilder functionMode() {
        return Interlock.builder()
                .uri(server.uri())
                .scriptMode(ScriptMode.FUNCTION)
                .commandTimeout(Topology.PATIENCE);
    }

    @Test
    void everyScriptIsAFunctionOfTheSameSource() {
        try (Interlock interlock = functionMode().build()) {
            NodeFunctions before = interlock.functions().status().get(0);
            assertThat(before.missing()).hasSizeGreaterThan(50);
            List<NodeFunctions> after = interlock.functions().deploy();
            assertThat(after).singleElement().satisfies(node -> {
                assertThat(node.node()).endsWith(":" + server.port());
                assertThat(node.missing()).isEmpty();
                assertThat(node.present()).containsAll(before.missing()).containsAll(before.present());
            });
            assertThat(interlock
                            .functions()
                            .async()
                            .deploy()
                            .toCompletableFuture()
                            .join())
                    .isEqualTo(after);
            assertThat(interlock.functions().reactive().status().block()).isEqualTo(after);
        }
    }

    @Test
    void twoVersionsLiveSideBySideDuringARollOut() {
        Script<Long> old = Script.of("shop/count", COUNTING, Reply.integer());
        Script<Long> next = Script.of("shop/count", COUNTING.replace("ARGV[1])", "2 * ARGV[1])"), Reply.integer());
        Script<Long> later =
                Script.of("shop/count", COUNTING.replace("-- Cost", "-- Version 2\n-- Cost"), Reply.integer());
        try (Interlock before = functionMode().build();
                Interlock after = functionMode().build()) {
            assertThat(before.scripts().run(old, keys("n"), args("1"))).isEqualTo(1);
            assertThat(after.scripts().run(next, keys("n"), args("1"))).isEqualTo(3);
            assertThat(after.scripts().run(later, keys("n"), args("1"))).isEqualTo(4);
            assertThat(before.scripts().run(old, keys("n"), args("1"))).isEqualTo(5);
            NodeFunctions node = after.functions().status(next).get(0);
            assertThat(node.present()).anyMatch(name -> name.startsWith("interlock_shop_count_v1_"));
            assertThat(node.others())
                    .anyMatch(name -> name.startsWith("interlock_shop_count_v2_"))
                    .anyMatch(name -> name.startsWith("interlock_shop_count_v1_"))
                    .hasSize(2);
        }
    }

    @Test
    void flushedFunctionsUnderTrafficCostNoCall() {
        Script<Long> script = Script.of("shop/count", COUNTING, Reply.integer());
        try (Interlock interlock = functionMode().build()) {
            List<CompletableFuture<Long>> calls = IntStream.range(0, 2_000)
                    .mapToObj(i -> {
                        if (i % 200 == 0) {
                            raw.functionFlush(FlushMode.SYNC);
                        }
                        return interlock
                                .scripts()
                                .async()
                                .run(script, keys("n"), args("1"))
                                .toCompletableFuture();
                    })
                    .toList();
            assertThat(calls)
                    .extracting(CompletableFuture::join)
                    .doesNotHaveDuplicates()
                    .hasSize(2_000);
            assertThat(raw.get("n")).isEqualTo("2000");
        }
    }

    @Test
    void anErrorNamesTheLineOfTheFile() {
        Script<Long> script = Script.of(
                "shop/count",
                COUNTING.replace("return ", "local here = 1\nerror('at ' .. here)\nreturn "),
                Reply.integer());
        int line = 9;
        for (ScriptMode mode : ScriptMode.values()) {
            try (Interlock interlock = functionMode().scriptMode(mode).build()) {
                assertThatThrownBy(() -> interlock.scripts().run(script, keys("n"), args("1")))
                        .isInstanceOfSatisfying(
                                ScriptException.class,
                                e -> assertThat(e.line()).as(mode.name()).isEqualTo(line));
            }
        }
    }

    @Test
    void aScriptWhoseOwnErrorLooksLikeAMissingFunctionRunsOnce() {
        Script<Long> script = Script.of(
                "shop/lie",
                COUNTING.replace("return redis", "redis") + "error('ERR Function not found')\n",
                Reply.integer());
        try (Interlock interlock = functionMode().build()) {
            assertThatThrownBy(() -> interlock.scripts().run(script, keys("n"), args("1")))
                    .isInstanceOf(ScriptException.class);
            assertThat(raw.get("n")).isEqualTo("1");
        }
    }

    @ParameterizedTest
    @EnumSource
    void theGeneratedRulesAreEnoughForEveryPrimitiveAndForNothingElse(ScriptMode mode) {
        user("deploy", AccessRules.of(mode, "interlock").deployer());
        user("app", AccessRules.of(mode, "interlock").application());
        if (mode == ScriptMode.FUNCTION) {
            try (Interlock deployer = functionMode().uri(as("deploy")).build()) {
                assertThat(deployer.functions().deploy().get(0).missing()).isEmpty();
            }
        }
        raw.aclLogReset();
        try (Interlock app = functionMode().scriptMode(mode).uri(as("app")).build()) {
            EveryPrimitive.use(app);
        }
        assertThat(raw.aclLog()).isEmpty();
        RedisClient restricted = RedisClient.create(as("app"));
        try {
            RedisCommands<String, String> app = restricted.connect().sync();
            assertThatThrownBy(() -> app.keys("*")).hasMessageContaining("NOPERM");
            assertThatThrownBy(app::flushall).hasMessageContaining("NOPERM");
            assertThatThrownBy(() -> app.configGet("*")).hasMessageContaining("NOPERM");
            assertThatThrownBy(() -> app.get("other:key")).hasMessageContaining("NOPERM");
            assertThatThrownBy(() -> app.functionLoad("#!lua name=x\n")).hasMessageContaining("NOPERM");
            assertThatThrownBy(() -> app.dispatch(
                            CommandType.EVAL,
                            new StatusOutput<>(StringCodec.UTF8),
                            new CommandArgs<>(StringCodec.UTF8).add("return 1").add(0)))
                    .hasMessageContaining("NOPERM");
        } finally {
            restricted.shutdown();
        }
    }

    @Test
    void aFunctionThatNobodyDeployedIsNamedWithTheMend() {
        user("app", AccessRules.of(ScriptMode.FUNCTION, "interlock").application());
        try (Interlock app = functionMode().uri(as("app")).build()) {
            assertThatThrownBy(() -> app.stock("a").initialize(1))
                    .isInstanceOf(NotExecutedException.class)
                    .hasMessageContaining("interlock_stock_")
                    .hasMessageContaining("functions deploy");
        }
    }

    private String as(String user) {
        return "redis://" + user + ":secret@127.0.0.1:" + server.port();
    }

    private void user(String name, List<String> rules) {
        CommandArgs<String, String> args =
                new CommandArgs<>(StringCodec.UTF8).add("SETUSER").add(name);
        args.add("on").add(">secret");
        rules.forEach(args::add);
        raw.dispatch(CommandType.ACL, new StatusOutput<>(StringCodec.UTF8), args);
    }
}
