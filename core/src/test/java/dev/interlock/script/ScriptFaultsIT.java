// SPDX-License-Identifier: Apache-2.0
package dev.interlock.script;

import static dev.interlock.script.ScriptArgs.args;
import static dev.interlock.script.ScriptKeys.keys;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.interlock.Interlock;
import dev.interlock.InterlockBuilder;
import dev.interlock.InterlockListener;
import dev.interlock.NotExecutedException;
import dev.interlock.OutcomeUnknownException;
import dev.interlock.Topology;
import dev.interlock.embedded.FaultProxy;
import dev.interlock.embedded.FaultProxy.Mode;
import dev.interlock.embedded.RedisServer;
import dev.interlock.pool.IssueResult;
import dev.interlock.pool.Pool;
import dev.interlock.pool.PoolConfig;
import dev.interlock.stock.GiveBackResult;
import dev.interlock.stock.StockCounter;
import dev.interlock.stock.TakeResult;
import io.lettuce.core.RedisClient;
import io.lettuce.core.ScriptOutputType;
import io.lettuce.core.api.sync.RedisCommands;
import io.lettuce.core.resource.ClientResources;
import io.lettuce.core.resource.DefaultClientResources;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/** Calls whose connection, server or script goes away in the middle. */
class ScriptFaultsIT {
    private static final Script<Long> COUNT = Script.of("count", """
            #!lua
            -- Counts up.
            -- KEYS[1] counter  string
            -- Returns the count
            -- Cost    O(1)
            return redis.call('INCR', KEYS[1])
            """, Reply.integer());

    private RedisServer server;
    private FaultProxy proxy;
    private RedisClient rawClient;
    private RedisCommands<String, String> raw;
    private final AtomicLong resent = new AtomicLong();
    private final AtomicLong reloaded = new AtomicLong();

    @BeforeEach
    void start() throws Exception {
        server = RedisServer.builder().appendOnly().start();
        proxy = FaultProxy.to(server.port());
        rawClient = RedisClient.create(server.uri());
        raw = rawClient.connect().sync();
    }

    @AfterEach
    void stop() throws Exception {
        proxy.close();
        rawClient.shutdown();
        server.close();
    }

    private InterlockBuilder through(Duration timeout) {
        return Interlock.builder().uri(proxy.redisUri()).commandTimeout(timeout).listener(new InterlockListener() {
            @Override
            public void scriptResent(String script) {
                resent.incrementAndGet();
            }

            @Override
            public void scriptReloaded(String script) {
                reloaded.incrementAndGet();
            }
        });
    }

    private static boolean isEvalsha(byte[] request) {
        return new String(request, StandardCharsets.ISO_8859_1).contains("EVALSHA");
    }

    @ParameterizedTest
    @CsvSource({
        "DROP_REPLY_THEN_FIN, false",
        "DROP_REPLY_THEN_FIN, true",
        "DROP_REPLY_THEN_CUT, false",
        "DROP_REPLY_THEN_CUT, true"
    })
    void aLostReplyOfATakeLeadsToOneExecutionAndTheFirstAnswer(Mode mode, boolean sharedResources) throws Exception {
        ClientResources shared = DefaultClientResources.create();
        InterlockBuilder builder = through(Topology.PATIENCE);
        try (Interlock interlock =
                sharedResources ? builder.clientResources(shared).build() : builder.build()) {
            StockCounter stock = interlock.stock("s");
            stock.initialize(10);
            proxy.onceWhen(mode, ScriptFaultsIT::isEvalsha);
            assertThat(stock.take(3, "r")).isEqualTo(new TakeResult.Taken(7));
            assertThat(proxy.faults()).isEqualTo(1);
            assertThat(resent).as("the fault was met").hasPositiveValue();
            assertThat(stock.available()).hasValue(7);
        }
        assertThat(shared.eventExecutorGroup().isShuttingDown())
                .as("shared resources stay")
                .isFalse();
        shared.timer().newTimeout(timeout -> {}, 1, TimeUnit.MILLISECONDS);
        shared.shutdown(0, 1, TimeUnit.SECONDS).get();
    }

    @ParameterizedTest
    @EnumSource(names = {"DROP_REPLY_THEN_FIN", "DROP_REPLY_THEN_CUT"})
    void aLostReplyOfAnIssueLeadsToOneUnitAndItsSequence(Mode mode) {
        try (Interlock interlock = through(Topology.PATIENCE).build()) {
            Pool pool = interlock.pool("p");
            pool.create(PoolConfig.of(5));
            proxy.onceWhen(mode, ScriptFaultsIT::isEvalsha);
            assertThat(pool.issue("u", "r")).isEqualTo(new IssueResult.Replayed(1));
            assertThat(pool.state().orElseThrow().available()).isEqualTo(4);
        }
    }

    @ParameterizedTest
    @EnumSource(names = {"DROP_REPLY_THEN_FIN", "DROP_REPLY_THEN_CUT", "BLACKHOLE_REPLIES"})
    void aLostReplyOfAScriptThatIsNotSafeToRepeatIsUnknownAndRunsOnce(Mode mode) {
        try (Interlock interlock = through(Duration.ofMillis(800)).build()) {
            interlock.scripts().run(COUNT, keys("n"), args());
            proxy.onceWhen(mode, ScriptFaultsIT::isEvalsha);
            assertThatThrownBy(() -> interlock.scripts().run(COUNT, keys("n"), args()))
                    .isInstanceOf(OutcomeUnknownException.class)
                    .hasMessageContaining("may have taken effect");
            assertThat(raw.get("n")).isEqualTo("2");
            assertThat(proxy.faults()).isEqualTo(1);
        }
    }

    @Test
    void aRequestThatIsCutBeforeItArrivesIsNotExecutedTwice() {
        try (Interlock interlock = through(Topology.PATIENCE).build()) {
            StockCounter stock = interlock.stock("s");
            stock.initialize(10);
            proxy.onceWhen(Mode.CUT_BEFORE_REQUEST, ScriptFaultsIT::isEvalsha);
            assertThat(stock.take(3, "r")).isEqualTo(new TakeResult.Taken(7));
            assertThat(stock.available()).hasValue(7);
        }
    }

    @Test
    void whileRedisRefusesConnectionsACallIsSurelyNotExecutedAndItIsBackWithinASecond() {
        try (Interlock interlock = through(Duration.ofMillis(200)).build()) {
            interlock.scripts().run(COUNT, keys("n"), args());
            proxy.mode(Mode.REFUSE);
            assertThatThrownBy(() -> interlock.scripts().run(COUNT, keys("n"), args()))
                    .isInstanceOfAny(NotExecutedException.class, OutcomeUnknownException.class);
            assertThatThrownBy(() -> interlock.scripts().run(COUNT, keys("n"), args()))
                    .isInstanceOf(NotExecutedException.class)
                    .hasMessageContaining("not reachable");
            proxy.mode(Mode.PASS);
            await().atMost(Duration.ofSeconds(3)).ignoreExceptions().until(() -> {
                interlock.scripts().run(COUNT, keys("n"), args());
                return true;
            });
        }
    }

    @Test
    void aSilentServerEndsEveryCallByItsTimeoutAsUnknown() {
        try (Interlock interlock = through(Duration.ofMillis(200)).build()) {
            StockCounter stock = interlock.stock("s");
            stock.initialize(10);
            server.pause();
            long started = System.nanoTime();
            assertThatThrownBy(() -> stock.take(1, "r")).isInstanceOf(OutcomeUnknownException.class);
            assertThat(Duration.ofNanos(System.nanoTime() - started)).isLessThan(Duration.ofSeconds(2));
            server.resume();
            await().ignoreExceptions()
                    .untilAsserted(() -> assertThat(stock.take(1, "r")).isEqualTo(new TakeResult.Taken(9)));
        }
    }

    @Test
    void foreignScriptsAFlushAndARestartUnderTrafficCostNoCall() throws Exception {
        try (Interlock interlock = through(Duration.ofSeconds(30)).build()) {
            StockCounter stock = interlock.stock("s");
            stock.initialize(1_000_000);
            AtomicBoolean stop = new AtomicBoolean();
            AtomicLong taken = new AtomicLong();
            List<CompletableFuture<Void>> clients = new ArrayList<>();
            for (int client = 0; client < 4; client++) {
                int id = client;
                clients.add(CompletableFuture.runAsync(() -> {
                    for (int i = 0; !stop.get(); i++) {
                        assertThat(stock.take(1, "r" + id + "-" + i)).isInstanceOf(TakeResult.Taken.class);
                        taken.incrementAndGet();
                    }
                }));
            }
            for (int i = 0; i < 600; i++) {
                raw.eval("return " + i, ScriptOutputType.INTEGER);
            }
            awaitMore(taken);
            raw.scriptFlush();
            awaitMore(taken);
            server.restart();
            awaitMore(taken);
            raw.scriptFlush();
            awaitMore(taken);
            stop.set(true);
            CompletableFuture.allOf(clients.toArray(CompletableFuture[]::new)).get(60, TimeUnit.SECONDS);
            assertThat(stock.available()).hasValue(1_000_000 - taken.get());
            assertThat(reloaded).as("the flush was met").hasPositiveValue();
            assertThat(resent).as("the restart was met").hasPositiveValue();
        }
    }

    private static void awaitMore(AtomicLong counter) {
        long before = counter.get();
        await().atMost(Duration.ofSeconds(30)).until(() -> counter.get() > before + 100);
    }

    @Test
    void aFullServerRefusesToTakeAndStillTakesBack() {
        try (Interlock interlock = through(Topology.PATIENCE).build()) {
            StockCounter stock = interlock.stock("s");
            stock.initialize(10);
            stock.take(4, "r");
            raw.configSet("maxmemory", "1");
            assertThatThrownBy(() -> stock.take(1, "r2"))
                    .isInstanceOf(NotExecutedException.class)
                    .hasMessageContaining("OOM");
            assertThat(stock.giveBack("r")).isInstanceOf(GiveBackResult.GivenBack.class);
            assertThat(raw.get("interlock:stock:{s}")).isEqualTo("10");
        }
    }

    @Test
    void closingEndsCallsInFlightAndRefusesNewOnes() {
        Interlock interlock = through(Duration.ofSeconds(60)).build();
        StockCounter stock = interlock.stock("s");
        stock.initialize(10);
        server.pause();
        List<CompletableFuture<TakeResult>> calls = new ArrayList<>();
        for (int i = 0; i < 1_000; i++) {
            calls.add(stock.async().take(1, "r" + i).toCompletableFuture());
        }
        interlock.close();
        server.resume();
        assertThat(calls).allSatisfy(call -> assertThat(call).failsWithin(Duration.ofSeconds(10)));
        assertThatThrownBy(() -> interlock.scripts().run(COUNT, keys("n"), args()))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("closed");
    }
}
