// SPDX-License-Identifier: Apache-2.0
package dev.interlock.idempotency;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.interlock.Codec;
import dev.interlock.CorruptStateException;
import dev.interlock.Deployment;
import dev.interlock.Interlock;
import dev.interlock.Topology;
import dev.interlock.idempotency.RunResult.Completed;
import dev.interlock.idempotency.RunResult.InProgress;
import dev.interlock.idempotency.RunResult.Mismatch;
import dev.interlock.idempotency.RunResult.Replayed;
import dev.interlock.idempotency.RunResult.Superseded;
import io.lettuce.core.cluster.api.sync.RedisClusterCommands;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;
import java.util.stream.IntStream;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import reactor.core.publisher.Mono;

/** What idempotent work promises, in all three views; the subclasses say on which topology. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
abstract class IdempotencyContract {
    private static final Duration CAP = Duration.ofSeconds(15);

    private final Topology topology;
    private Deployment server;
    private Interlock interlock;
    private RedisClusterCommands<String, String> redis;
    private Idempotency<String> payments;
    private final AtomicInteger done = new AtomicInteger();

    IdempotencyContract(Topology topology) {
        this.topology = topology;
    }

    /** Ways to call the same operation. */
    enum View {
        BLOCKING,
        ASYNC,
        REACTIVE;

        RunResult<String> run(Idempotency<String> idempotency, String key, String print, Supplier<String> work) {
            return switch (this) {
                case BLOCKING -> idempotency.run(key, print, work);
                case ASYNC ->
                    join(idempotency.async().run(key, print, () -> CompletableFuture.completedFuture(work.get())));
                case REACTIVE ->
                    idempotency
                            .reactive()
                            .run(key, print, () -> Mono.fromSupplier(work))
                            .block();
            };
        }
    }

    private static <R> R join(java.util.concurrent.CompletionStage<R> stage) {
        try {
            return stage.toCompletableFuture().join();
        } catch (CompletionException e) {
            throw e.getCause() instanceof RuntimeException known ? known : e;
        }
    }

    @BeforeAll
    void start() {
        server = topology.start();
        interlock = Topology.connect(server);
        redis = server.redis();
        payments = interlock.idempotency("payments");
    }

    @AfterAll
    void stop() {
        interlock.close();
        server.close();
    }

    private static String record(String key) {
        return "interlock:idempotency:{" + key + "}:of:payments";
    }

    private String work() {
        return "response " + done.incrementAndGet();
    }

    /** I1, the stored response. */
    @ParameterizedTest
    @EnumSource(View.class)
    void theFirstCallDoesTheWorkAndLaterOnesGetItsResponse(View view) {
        String key = Topology.name("key");
        RunResult<String> first = view.run(payments, key, "body", this::work);
        assertThat(first).isInstanceOf(Completed.class);
        String response = ((Completed<String>) first).response();
        int before = done.get();
        assertThat(view.run(payments, key, "body", this::work)).isEqualTo(new Replayed<>(response));
        assertThat(view.run(payments, key, "another body", this::work)).isEqualTo(new Mismatch<>());
        assertThat(view.run(payments, key, "body", this::work)).isEqualTo(new Replayed<>(response));
        assertThat(done).hasValue(before);
        assertThat(redis.pttl(record(key))).isBetween(86_000_000L, 86_400_000L);
    }

    /** I1, while running and with another payload. */
    @ParameterizedTest
    @EnumSource(View.class)
    void whileTheWorkIsBeingDoneOthersHearSoAndAnotherFingerprintMismatches(View view) {
        String key = Topology.name("key");
        CompletableFuture<String> working = new CompletableFuture<>();
        var first = payments.async().run(key, "body", () -> working).toCompletableFuture();
        Awaitility.await().atMost(CAP).until(() -> redis.exists(record(key)) == 1);
        RunResult<String> second = view.run(payments, key, "body", this::work);
        assertThat(second).isInstanceOf(InProgress.class);
        assertThat(((InProgress<String>) second).retryAfter()).isBetween(Duration.ofMillis(1), Duration.ofSeconds(10));
        assertThat(view.run(payments, key, "other", this::work)).isEqualTo(new Mismatch<>());
        working.complete("done");
        assertThat(first.join()).isEqualTo(new Completed<>("done"));
        assertThat(view.run(payments, key, "body", this::work)).isEqualTo(new Replayed<>("done"));
    }

    @ParameterizedTest
    @EnumSource(View.class)
    void workThatThrowsGivesTheKeyBack(View view) {
        String key = Topology.name("key");
        assertThatThrownBy(() -> view.run(payments, key, "body", () -> {
                    throw new UnsupportedOperationException("declined");
                }))
                .isInstanceOf(UnsupportedOperationException.class)
                .hasMessage("declined");
        assertThat(redis.exists(record(key))).isZero();
        assertThatThrownBy(() -> view.run(payments, key, "body", () -> null)).hasMessageContaining("response");
        assertThatThrownBy(() -> view.run(payments, key, "body", () -> "x".repeat(1_048_577)))
                .isInstanceOf(IllegalArgumentException.class);
        assertThat(view.run(payments, key, "corrected body", () -> "ok")).isEqualTo(new Completed<>("ok"));
    }

    /** I1, after a crash. */
    @ParameterizedTest
    @EnumSource(View.class)
    void afterACrashTheWorkIsDoneAgainAndTheLateResponseIsRefused(View view) {
        String key = Topology.name("key");
        CompletableFuture<String> late = new CompletableFuture<>();
        var crashed = payments.async().run(key, "body", () -> late).toCompletableFuture();
        Awaitility.await().atMost(CAP).until(() -> redis.exists(record(key)) == 1);
        assertThat(view.run(payments, key, "body", this::work)).isInstanceOf(InProgress.class);
        // As if its lease had ended without renewal: the first renewal comes after a third of 10 s.
        redis.hset(record(key), "until", "1");
        assertThat(view.run(payments, key, "other", this::work)).isEqualTo(new Mismatch<>());
        assertThat(view.run(payments, key, "body", () -> "second")).isEqualTo(new Completed<>("second"));
        late.complete("first");
        assertThat(crashed.join()).isEqualTo(new Superseded<>("first"));
        assertThat(view.run(payments, key, "body", this::work)).isEqualTo(new Replayed<>("second"));
    }

    @Test
    void aLateOwnerStoresItsResponseIfNobodyHasTakenTheKey() {
        String key = Topology.name("key");
        CompletableFuture<String> late = new CompletableFuture<>();
        var first = payments.async().run(key, "body", () -> late).toCompletableFuture();
        Awaitility.await().atMost(CAP).until(() -> redis.exists(record(key)) == 1);
        redis.hset(record(key), "until", "1");
        late.complete("late");
        assertThat(first.join()).isEqualTo(new Completed<>("late"));
    }

    @Test
    void aFailedOwnerDoesNotGiveBackTheKeyOfItsSuccessor() {
        String key = Topology.name("key");
        CompletableFuture<String> failing = new CompletableFuture<>();
        CompletableFuture<String> second = new CompletableFuture<>();
        var first = payments.async().run(key, "body", () -> failing).toCompletableFuture();
        Awaitility.await().atMost(CAP).until(() -> redis.exists(record(key)) == 1);
        redis.hset(record(key), "until", "1");
        var successor = payments.async().run(key, "body", () -> second).toCompletableFuture();
        Awaitility.await().atMost(CAP).until(() -> !"1".equals(redis.hget(record(key), "until")));
        failing.completeExceptionally(new UnsupportedOperationException());
        assertThatThrownBy(first::join).hasCauseInstanceOf(UnsupportedOperationException.class);
        assertThat(payments.run(key, "body", this::work)).isInstanceOf(InProgress.class);
        second.complete("mine");
        assertThat(successor.join()).isEqualTo(new Completed<>("mine"));
    }

    @Test
    void theLeaseIsRenewedWhileTheWorkIsDoneAndTheResponseLivesForItsOwnTime() {
        String key = Topology.name("key");
        IdempotencyConfig<String> config = IdempotencyConfig.of(Codec.utf8())
                .withLease(Duration.ofSeconds(1))
                .withResponseTtl(Duration.ofSeconds(2));
        Idempotency<String> brief = interlock.idempotency("payments", config);
        CompletableFuture<String> working = new CompletableFuture<>();
        var first = brief.async().run(key, "body", () -> working).toCompletableFuture();
        Awaitility.await().atMost(CAP).until(() -> redis.exists(record(key)) == 1);
        String start = redis.hget(record(key), "until");
        // Two leases later, and after more than the response's time.
        Awaitility.await().atMost(CAP).until(() -> {
            assertThat(brief.run(key, "body", this::work)).isInstanceOf(InProgress.class);
            return Long.parseLong(redis.hget(record(key), "until")) - Long.parseLong(start) > 2_100_000;
        });
        working.complete("done");
        assertThat(first.join()).isEqualTo(new Completed<>("done"));
        assertThat(redis.pttl(record(key))).isBetween(1L, 2_000L);
        assertThat(brief.run(key, "body", this::work)).isEqualTo(new Replayed<>("done"));
        Awaitility.await().atMost(CAP).until(() -> redis.exists(record(key)) == 0);
        assertThat(brief.run(key, "body", () -> "again")).isEqualTo(new Completed<>("again"));
    }

    @Test
    void aHundredConcurrentCallsDoTheWorkOnce() {
        String key = Topology.name("key");
        int before = done.get();
        try (Interlock other = Topology.connect(server)) {
            List<CompletableFuture<RunResult<String>>> calls = IntStream.range(0, 100)
                    .mapToObj(i -> (i % 2 == 0 ? payments : other.idempotency("payments"))
                            .async()
                            .run(key, "body", () -> CompletableFuture.supplyAsync(this::work))
                            .toCompletableFuture())
                    .toList();
            assertThat(calls.stream().map(CompletableFuture::join))
                    .allMatch(result -> !(result instanceof Mismatch || result instanceof Superseded))
                    .filteredOn(Completed.class::isInstance)
                    .hasSize(1);
        }
        assertThat(done).hasValue(before + 1);
    }

    @Test
    void theBlockingViewDoesTheWorkOnTheCallingThread() {
        Thread caller = Thread.currentThread();
        assertThat(payments.run(
                        Topology.name("key"), "body", () -> Thread.currentThread() == caller ? "mine" : "other"))
                .isEqualTo(new Completed<>("mine"));
    }

    @Test
    void eachSubscriptionIsOneCall() {
        var run = payments.reactive().run(Topology.name("key"), "body", () -> Mono.fromSupplier(this::work));
        int before = done.get();
        assertThat(run.block()).isInstanceOf(Completed.class);
        assertThat(run.block()).isInstanceOf(Replayed.class);
        assertThat(done).hasValue(before + 1);
    }

    @Test
    void namesAndKeysAreApart() {
        String key = Topology.name("key");
        payments.run(key, "body", this::work);
        assertThat(interlock.idempotency("refunds").run(key, "b", () -> "r")).isEqualTo(new Completed<>("r"));
        assertThat(payments.run(key + "}:of:payments", "b", () -> "r")).isEqualTo(new Completed<>("r"));
        assertThat(interlock.idempotency("a:of:b").run(key, "b", () -> "1")).isEqualTo(new Completed<>("1"));
        assertThat(interlock.idempotency("b").run(key + ":of:a", "b", () -> "2"))
                .isEqualTo(new Completed<>("2"));
    }

    @ParameterizedTest
    @EnumSource(View.class)
    void aRecordOfAnotherTypeIsReportedAndUnchanged(View view) {
        String key = Topology.name("key");
        redis.set(record(key), "a string");
        int before = done.get();
        assertThatThrownBy(() -> view.run(payments, key, "body", this::work)).isInstanceOf(CorruptStateException.class);
        assertThat(redis.get(record(key))).isEqualTo("a string");
        assertThat(done).hasValue(before);
        redis.del(record(key));
        redis.hset(record(key), Map.of("fingerprint", "body", "owner", "x", "response", "r"));
        assertThat(view.run(payments, key, "body", this::work)).isEqualTo(new Replayed<>("r"));
    }

    @ParameterizedTest
    @EnumSource(View.class)
    void badArgumentsAreRefusedBeforeAnythingIsSent(View view) {
        int before = done.get();
        for (String bad : new String[] {null, "", " a", "a\n", "a\u0000b", "\uD800", "x".repeat(513), "a\u202Eb"}) {
            assertThatThrownBy(() -> view.run(payments, bad, "body", this::work))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("key");
            assertThatThrownBy(() -> view.run(payments, "key", bad, this::work))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("fingerprint");
        }
        assertThat(done).hasValue(before);
        assertThat(redis.exists(record("key"))).isZero();
    }
}
