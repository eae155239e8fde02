// SPDX-License-Identifier: Apache-2.0
package dev.interlock.script;

import static dev.interlock.script.ScriptArgs.args;
import static dev.interlock.script.ScriptKeys.keys;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.interlock.CrossSlotException;
import dev.interlock.Interlock;
import dev.interlock.InterlockListener;
import dev.interlock.RedisBusyException;
import dev.interlock.ScriptException;
import dev.interlock.Topology;
import dev.interlock.embedded.RedisServer;
import dev.interlock.script.Scripts.KillResult;
import io.lettuce.core.RedisClient;
import io.lettuce.core.ScriptOutputType;
import io.lettuce.core.api.sync.RedisCommands;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The script layer as users meet it. */
class ScriptsIT {
    private static final String HEAD = """
            #!lua
            -- A script of a test.
            -- KEYS[1] key  any
            -- Returns whatever the test wants
            -- Cost    O(1)
            """;

    private RedisServer server;
    private Interlock interlock;
    private RedisClient rawClient;
    private RedisCommands<String, String> raw;
    private final Map<String, AtomicLong> outcomes = new ConcurrentHashMap<>();

    @BeforeEach
    void start() {
        server = RedisServer.builder().config("busy-reply-threshold", "100").start();
        interlock = Interlock.builder()
                .uri(server.uri())
                .commandTimeout(Topology.PATIENCE)
                .listener(counting())
                .build();
        rawClient = RedisClient.create(server.uri());
        raw = rawClient.connect().sync();
    }

    private InterlockListener counting() {
        return new InterlockListener() {
            @Override
            public void scriptCompleted(String script, Outcome outcome, long nanos) {
                count(outcome.name());
                throw new IllegalStateException("a listener must not be able to break a call");
            }

            @Override
            public void scriptReloaded(String script) {
                count("reloaded");
            }

            @Override
            public void crossSlotRefused(String script) {
                count("crossSlot");
            }
        };
    }

    private void count(String what) {
        outcomes.computeIfAbsent(what, name -> new AtomicLong()).incrementAndGet();
    }

    private long counted(String what) {
        return outcomes.getOrDefault(what, new AtomicLong()).get();
    }

    @AfterEach
    void stop() {
        interlock.close();
        rawClient.shutdown();
        server.close();
    }

    private static <T> Script<T> script(String body, Reply<T> reply) {
        return Script.of("test", HEAD + body, reply);
    }

    @Test
    void repliesOfEveryKindAreDecoded() {
        Scripts scripts = interlock.scripts();
        assertThat(scripts.run(script("return 42", Reply.integer()), keys("k"), args()))
                .isEqualTo(42);
        assertThat(scripts.run(script("return ARGV[1]", Reply.string()), keys("k"), args("é🎟️")))
                .isEqualTo("é🎟️");
        assertThat(scripts.run(script("return false", Reply.optionalString()), keys("k"), args()))
                .isEmpty();
        assertThat(scripts.run(script("return ARGV[1]", Reply.optionalString()), keys("k"), args(7L)))
                .contains("7");
        assertThat(scripts.run(script("return {1, {2, 3}, {}}", Reply.list(raw -> raw)), keys("k"), args()))
                .isEqualTo(List.of(1L, List.of(2L, 3L), List.of()));
        byte[] bytes = {0, -1, 10, 13};
        assertThat(scripts.run(script("return ARGV[1]", Reply.bytes()), keys("k"), args((Object) bytes)))
                .isEqualTo(bytes);
        assertThatThrownBy(() -> scripts.run(script("return 'x'", Reply.integer()), keys("k"), args()))
                .hasMessageContaining("an integer")
                .hasMessageContaining("a string of 1 bytes");
    }

    @Test
    void theThreeViewsGiveTheSameAnswer() {
        Script<Long> add = script("return redis.call('INCRBY', KEYS[1], ARGV[1])", Reply.integer());
        assertThat(interlock.scripts().run(add, keys("n"), args(1))).isEqualTo(1);
        assertThat(interlock
                        .scripts()
                        .async()
                        .run(add, keys("n"), args(1))
                        .toCompletableFuture()
                        .join())
                .isEqualTo(2);
        assertThat(interlock.scripts().reactive().run(add, keys("n"), args(1)).block())
                .isEqualTo(3);
    }

    @Test
    void aScriptWhoseErrorTextContainsNoscriptRunsOnce() {
        for (String error : List.of("NOSCRIPT made up", "ERR see NOSCRIPT No matching script")) {
            Script<Long> failing =
                    script("redis.call('INCR', KEYS[1]) return redis.error_reply('" + error + "')", Reply.integer());
            raw.del("runs");
            assertThatThrownBy(() -> interlock.scripts().run(failing, keys("runs"), args()))
                    .isInstanceOf(ScriptException.class)
                    .hasMessageContaining(error);
            assertThat(raw.get("runs")).isEqualTo("1");
        }
    }

    @Test
    void anErrorNamesTheScriptTheCodeAndTheLine() {
        raw.lpush("list", "x");
        Script<Long> wrong = script("local a = 1\nreturn redis.call('INCR', KEYS[1])", Reply.integer());
        assertThatThrownBy(() -> interlock.scripts().run(wrong, keys("list"), args()))
                .isInstanceOfSatisfying(ScriptException.class, e -> {
                    assertThat(e.script()).isEqualTo("test");
                    assertThat(e.code()).isEqualTo("WRONGTYPE");
                    assertThat(e.line()).isEqualTo(7);
                });
        assertThat(counted("SCRIPT_ERROR")).isEqualTo(1);
    }

    @Test
    void keysOfDifferentSlotsAreRefusedBeforeSendingOnAStandaloneServerToo() {
        Script<Long> both = Script.of(
                "both",
                HEAD.replace("-- Returns", "-- KEYS[2] other  any\n-- Returns")
                        + "return redis.call('DEL', KEYS[1], KEYS[2])",
                Reply.integer());
        for (View view : View.values()) {
            assertThatThrownBy(() -> view.run(interlock, both, keys("coupon:stock:A001", "coupon:issued:A001")))
                    .isInstanceOf(CrossSlotException.class)
                    .hasMessageContaining("coupon:stock:A001")
                    .hasMessageContaining("coupon:stock:{A001}")
                    .hasMessageMatching("(?s).*slot \\d+.*slot \\d+.*");
        }
        assertThat(counted("crossSlot")).isEqualTo(3);
        assertThat(raw.info("commandstats")).doesNotContain("cmdstat_evalsha");
        assertThat(interlock.scripts().run(both, keys("{A001}:a", "{A001}:b"), args()))
                .isZero();
        assertThatThrownBy(() -> interlock.scripts().run(both, keys(new String[0]), args()))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("at least one key");
    }

    /** Ways to call the same operation. */
    enum View {
        BLOCKING,
        ASYNC,
        REACTIVE;

        Object run(Interlock interlock, Script<?> script, ScriptKeys keys) {
            return switch (this) {
                case BLOCKING -> interlock.scripts().run(script, keys, args());
                case ASYNC -> interlock.scripts().async().run(script, keys, args());
                case REACTIVE -> interlock.scripts().reactive().run(script, keys, args());
            };
        }
    }

    @Test
    void whileAReadOnlyScriptRunsTooLongCallersHearBusyAtOnceAndItCanBeEnded() {
        CompletableFuture<?> slow = slow("while true do end", "#!lua flags=no-writes");
        Script<Long> quick = script("return 1", Reply.integer());
        waitUntilBusy(quick);
        long busy = counted("BUSY");
        assertThatThrownBy(() -> interlock.scripts().run(quick, keys("k"), args()))
                .isInstanceOf(RedisBusyException.class)
                .hasMessageContaining("not executed");
        assertThat(counted("BUSY")).as("one attempt, no storm").isEqualTo(busy + 1);
        assertThat(interlock.scripts().killRunning()).containsExactly(KillResult.KILLED);
        assertThatThrownBy(slow::join).hasStackTraceContaining("killed");
        assertThat(interlock.scripts().killRunning()).containsExactly(KillResult.IDLE);
        assertThat(interlock.scripts().run(quick, keys("k"), args())).isEqualTo(1);
    }

    @Test
    void aScriptThatHasWrittenCannotBeEndedAndTheAnswerSaysSo() {
        slow("redis.call('SET', KEYS[1], 'x') while true do end", "#!lua");
        waitUntilBusy(script("return 1", Reply.integer()));
        assertThat(interlock.scripts().killRunning()).containsExactly(KillResult.UNKILLABLE);
        server.kill();
    }

    @Test
    void aRunningFunctionIsToldApartAndEnded() {
        raw.functionLoad("#!lua name=slow\nredis.register_function{function_name='forever', callback=function() "
                + "while true do end end, flags={'no-writes'}}");
        CompletableFuture<?> running = CompletableFuture.runAsync(() -> {
            try (var connection = rawClient.connect()) {
                connection.sync().fcall("forever", ScriptOutputType.INTEGER);
            }
        });
        waitUntilBusy(script("return 1", Reply.integer()));
        assertThat(interlock.scripts().killRunning()).containsExactly(KillResult.FUNCTION_KILLED);
        assertThatThrownBy(running::join).isNotNull();
    }

    private CompletableFuture<?> slow(String body, String shebang) {
        String source = HEAD.replace("#!lua", shebang) + body;
        return rawClient
                .connect()
                .async()
                .eval(source, ScriptOutputType.INTEGER, "slow")
                .toCompletableFuture();
    }

    private void waitUntilBusy(Script<Long> quick) {
        await().ignoreExceptions().until(() -> {
            try {
                interlock.scripts().run(quick, keys("k"), args());
                return false;
            } catch (RedisBusyException e) {
                return true;
            }
        });
    }

    @Test
    void aBlockingCallOnAnIoThreadIsRefused() {
        Script<Long> slow = script("local n = 0 for i = 1, 3000000 do n = n + i end return 1", Reply.integer());
        CompletableFuture<Long> onIoThread = interlock
                .scripts()
                .async()
                .run(slow, keys("k"), args())
                .thenApply(first -> interlock.scripts().run(slow, keys("k"), args()))
                .toCompletableFuture();
        assertThatThrownBy(onIoThread::join)
                .hasRootCauseInstanceOf(IllegalStateException.class)
                .hasMessageContaining("async()");
    }
}
