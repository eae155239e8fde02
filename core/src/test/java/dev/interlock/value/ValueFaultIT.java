// SPDX-License-Identifier: Apache-2.0
package dev.interlock.value;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.interlock.Codec;
import dev.interlock.Interlock;
import dev.interlock.NotExecutedException;
import dev.interlock.OutcomeUnknownException;
import dev.interlock.Topology;
import dev.interlock.embedded.FaultProxy;
import dev.interlock.embedded.FaultProxy.Mode;
import dev.interlock.embedded.RedisServer;
import dev.interlock.value.CasResult.Conflict;
import dev.interlock.value.CasResult.NotFound;
import dev.interlock.value.CasResult.Success;
import io.lettuce.core.RedisClient;
import io.lettuce.core.api.sync.RedisCommands;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.function.Predicate;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** A swap takes effect once and is answered truly, whatever happens to its reply. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class ValueFaultIT {
    private static final Predicate<byte[]> SCRIPT =
            request -> new String(request, StandardCharsets.ISO_8859_1).contains("EVALSHA");
    private static final Duration CAP = Duration.ofSeconds(20);

    private final String name = Topology.name("counter");
    private RedisServer server;
    private FaultProxy proxy;
    private Interlock patient;
    private Interlock hasty;
    private RedisClient client;
    private RedisCommands<String, String> redis;

    @BeforeAll
    void start() {
        server = RedisServer.start();
        proxy = FaultProxy.to(server.port());
        patient = Interlock.builder()
                .uri(proxy.redisUri())
                .commandTimeout(Topology.PATIENCE)
                .build();
        hasty = Interlock.builder()
                .uri(proxy.redisUri())
                .commandTimeout(Duration.ofMillis(300))
                .build();
        client = RedisClient.create(server.uri());
        redis = client.connect().sync();
    }

    @AfterAll
    void stop() {
        client.shutdown();
        hasty.close();
        patient.close();
        proxy.close();
        server.close();
    }

    @AfterEach
    void heal() {
        proxy.mode(Mode.PASS);
        proxy.cutAll();
        redis.configSet("maxmemory", "0");
        redis.flushall();
        await(() -> hasty.value("ping").get().isEmpty());
    }

    /** Waits until it answers and says yes. */
    private static void await(java.util.concurrent.Callable<Boolean> condition) {
        Awaitility.await().atMost(CAP).ignoreExceptions().until(condition);
    }

    private String key() {
        return "interlock:value:{" + name + "}";
    }

    private void swapsSeenByRedis(int count) {
        assertThat(redis.hget(key() + ":requests", "free")).isEqualTo(Integer.toString(count));
    }

    /** V5. */
    @ParameterizedTest
    @EnumSource(names = {"DROP_REPLY_THEN_FIN", "DROP_REPLY_THEN_CUT", "CUT_BEFORE_REQUEST"})
    void aSwapWhoseReplyIsLostSucceedsOnce(Mode mode) {
        redis.set(key(), "a");
        long faults = proxy.faults();
        proxy.onceWhen(mode, SCRIPT);
        assertThat(patient.value(name).compareAndSet("a", "b")).isEqualTo(new Success<>());
        assertThat(proxy.faults()).isEqualTo(faults + 1);
        assertThat(redis.get(key())).isEqualTo("b");
        swapsSeenByRedis(1);
    }

    @ParameterizedTest
    @EnumSource(names = {"DROP_REPLY_THEN_FIN", "DROP_REPLY_THEN_CUT", "CUT_BEFORE_REQUEST"})
    void aVersionedWriteWhoseReplyIsLostIsWrittenOnce(Mode mode) {
        Versioned<String> document = patient.versioned(name, Codec.utf8());
        proxy.onceWhen(mode, SCRIPT);
        WriteResult<String> result = document.compareAndSet(Versioned.ABSENT, "a");
        assertThat(result).isInstanceOf(WriteResult.Written.class);
        assertThat(document.get())
                .contains(new Versioned.Snapshot<>("a", ((WriteResult.Written<String>) result).version()));
    }

    @ParameterizedTest
    @EnumSource(names = {"DROP_REPLY_THEN_FIN", "DROP_REPLY_THEN_CUT", "CUT_BEFORE_REQUEST"})
    void anUpdateWhoseReplyIsLostAddsOnce(Mode mode) {
        redis.set(key(), "1");
        Predicate<byte[]> swap = request -> new String(request, StandardCharsets.ISO_8859_1).contains("keep");
        long faults = proxy.faults();
        proxy.onceWhen(mode, swap);
        assertThat(patient.value(name).update(old -> old + "+1")).isEqualTo("1+1");
        assertThat(proxy.faults()).isEqualTo(faults + 1);
        assertThat(redis.get(key())).isEqualTo("1+1");
    }

    @Test
    void anUnknownOutcomeIsResolvedByTheSameRequestAlsoAfterOthersHaveChangedTheValue() {
        redis.set(key(), "a");
        AtomicValue<String> value = hasty.value(name);
        proxy.mode(Mode.BLACKHOLE_REPLIES);
        assertThatThrownBy(() -> value.compareAndSet("a", "b", Ttl.KEEP, "mine"))
                .isInstanceOf(OutcomeUnknownException.class);
        assertThat(redis.get(key())).isEqualTo("b");
        redis.set(key(), "c");
        proxy.mode(Mode.PASS);
        proxy.cutAll();
        await(() -> value.get().isPresent());
        assertThat(value.compareAndSet("a", "b", Ttl.KEEP, "mine")).isEqualTo(new Success<>());
        assertThat(value.compareAndSet("a", "b", Ttl.KEEP, "other")).isEqualTo(new Conflict<>("c"));
    }

    @Test
    void anUpdateGoesOnThroughAnUnknownOutcomeWithoutAddingTwice() {
        redis.set(key(), "1");
        Predicate<byte[]> swap = request -> new String(request, StandardCharsets.ISO_8859_1).contains("keep");
        proxy.onceWhen(Mode.BLACKHOLE_REPLIES, swap);
        CompletableFuture<String> update = hasty.value(name)
                .async()
                .update(old -> old + "+1", Ttl.KEEP, Duration.ofMinutes(1))
                .toCompletableFuture();
        await(() -> redis.get(key()).equals("1+1"));
        // Longer than the command time-out: the first attempt has ended as unknown.
        Awaitility.await().pollDelay(Duration.ofMillis(400)).until(() -> !update.isDone());
        proxy.cutAll();
        assertThat(update.join()).isEqualTo("1+1");
        assertThat(redis.get(key())).isEqualTo("1+1");
        swapsSeenByRedis(1);
    }

    @Test
    void anUpdateWhoseOutcomeStaysUnknownSaysSo() {
        redis.set(key(), "1");
        Predicate<byte[]> swap = request -> new String(request, StandardCharsets.ISO_8859_1).contains("keep");
        proxy.onceWhen(Mode.BLACKHOLE_REPLIES, swap);
        AtomicValue<String> value = hasty.value(name);
        assertThatThrownBy(() -> value.update(
                        old -> {
                            return old + "+1";
                        },
                        Ttl.KEEP,
                        Duration.ofMillis(700)))
                .isInstanceOf(OutcomeUnknownException.class);
    }

    @Test
    void whatSurelyDidNotHappenIsReportedAsSuch() {
        redis.set(key(), "a");
        AtomicValue<String> value = hasty.value(name);
        redis.configSet("maxmemory", "1");
        assertThatThrownBy(() -> value.compareAndSet("a", "b")).isInstanceOf(NotExecutedException.class);
        assertThatThrownBy(() -> value.update(old -> "b")).isInstanceOf(NotExecutedException.class);
        assertThat(value.get()).contains("a");
        redis.configSet("maxmemory", "0");
        proxy.mode(Mode.REFUSE);
        await(() -> {
            assertThatThrownBy(() -> value.compareAndSet("a", "b")).isInstanceOf(NotExecutedException.class);
            return true;
        });
        assertThat(redis.get(key())).isEqualTo("a");
    }

    @Test
    void aFlushedServerHasNoValueAndItsScriptsComeBack() {
        redis.set(key(), "a");
        assertThat(patient.value(name).compareAndSet("a", "b")).isEqualTo(new Success<>());
        redis.flushall();
        redis.scriptFlush();
        assertThat(patient.value(name).compareAndSet("b", "c")).isEqualTo(new NotFound<>());
    }

    @Test
    void anInterruptedUpdateEndsAndDoesNotTryAgain() {
        redis.set(key(), "1");
        proxy.onceWhen(Mode.BLACKHOLE_ALL, SCRIPT);
        Thread.currentThread().interrupt();
        assertThatThrownBy(() -> patient.value(name).update(old -> "2")).isInstanceOf(OutcomeUnknownException.class);
        assertThat(Thread.interrupted()).isTrue();
        assertThat(redis.get(key())).isEqualTo("1");
    }
}
