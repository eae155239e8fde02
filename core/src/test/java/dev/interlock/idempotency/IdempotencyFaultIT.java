// SPDX-License-Identifier: Apache-2.0
package dev.interlock.idempotency;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.interlock.Codec;
import dev.interlock.Interlock;
import dev.interlock.InterlockException;
import dev.interlock.NotExecutedException;
import dev.interlock.OutcomeUnknownException;
import dev.interlock.Topology;
import dev.interlock.embedded.FaultProxy;
import dev.interlock.embedded.FaultProxy.Mode;
import dev.interlock.embedded.RedisServer;
import dev.interlock.idempotency.RunResult.Completed;
import dev.interlock.idempotency.RunResult.InProgress;
import dev.interlock.idempotency.RunResult.Replayed;
import io.lettuce.core.RedisClient;
import io.lettuce.core.api.sync.RedisCommands;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Predicate;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import reactor.core.Disposable;
import reactor.core.publisher.Mono;

/** Work is done once and its response stored, whatever happens to replies, connections and callers. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class IdempotencyFaultIT {
    private static final Duration CAP = Duration.ofSeconds(20);
    private static final IdempotencyConfig<String> BRIEF =
            IdempotencyConfig.of(Codec.utf8()).withLease(Duration.ofSeconds(1));

    private final AtomicInteger done = new AtomicInteger();
    private RedisServer server;
    private FaultProxy proxy;
    private Interlock patient;
    private Interlock hasty;
    private RedisClient client;
    private RedisCommands<String, String> redis;
    private String key;

    @BeforeAll
    void start() {
        server = RedisServer.start();
        proxy = FaultProxy.to(server.port());
        patient = connect(Topology.PATIENCE);
        hasty = connect(Duration.ofMillis(300));
        client = RedisClient.create(server.uri());
        redis = client.connect().sync();
    }

    private Interlock connect(Duration timeout) {
        return Interlock.builder().uri(proxy.redisUri()).commandTimeout(timeout).build();
    }

    @AfterAll
    void stop() {
        client.shutdown();
        hasty.close();
        patient.close();
        proxy.close();
        server.close();
    }

    @BeforeEach
    void newKey() {
        key = Topology.name("key");
        done.set(0);
    }

    @AfterEach
    void heal() {
        proxy.delay(Duration.ZERO);
        proxy.mode(Mode.PASS);
        proxy.cutAll();
        Awaitility.await()
                .atMost(CAP)
                .ignoreExceptions()
                .until(() -> hasty.value("ping").get().isEmpty());
    }

    private String work() {
        done.incrementAndGet();
        return "the-response";
    }

    private boolean taken() {
        return redis.exists("interlock:idempotency:{" + key + "}:of:payments") == 1;
    }

    private static Predicate<byte[]> with(String text) {
        return request -> new String(request, StandardCharsets.ISO_8859_1).contains(text);
    }

    @ParameterizedTest
    @EnumSource(names = {"DROP_REPLY_THEN_FIN", "DROP_REPLY_THEN_CUT", "CUT_BEFORE_REQUEST"})
    void theWorkIsDoneOnceWhenTheReplyThatTakesTheKeyIsLost(Mode mode) {
        long faults = proxy.faults();
        proxy.onceWhen(mode, with("the-body"));
        assertThat(patient.idempotency("payments").run(key, "the-body", this::work))
                .isEqualTo(new Completed<>("the-response"));
        assertThat(proxy.faults()).isEqualTo(faults + 1);
        assertThat(done).hasValue(1);
    }

    @ParameterizedTest
    @EnumSource(names = {"DROP_REPLY_THEN_FIN", "DROP_REPLY_THEN_CUT", "CUT_BEFORE_REQUEST"})
    void theResponseIsStoredWhenTheReplyThatSaysSoIsLost(Mode mode) {
        long faults = proxy.faults();
        proxy.onceWhen(mode, with("the-response"));
        Idempotency<String> payments = patient.idempotency("payments");
        assertThat(payments.run(key, "b", this::work)).isEqualTo(new Completed<>("the-response"));
        assertThat(proxy.faults()).isEqualTo(faults + 1);
        assertThat(payments.run(key, "b", this::work)).isEqualTo(new Replayed<>("the-response"));
        assertThat(done).hasValue(1);
    }

    @Test
    void noWorkIsDoneIfItIsUnknownWhetherTheKeyWasTakenAndTheKeyIsGivenBack() {
        proxy.onceWhen(Mode.BLACKHOLE_REPLIES, with("the-body"));
        assertThatThrownBy(() -> hasty.idempotency("payments").run(key, "the-body", this::work))
                .isInstanceOf(OutcomeUnknownException.class);
        assertThat(done).hasValue(0);
        Awaitility.await().atMost(Duration.ofSeconds(5)).until(() -> !taken());
    }

    @Test
    void theResponseIsStoredWhenRedisComesBackWithinTheLease() {
        CompletableFuture<String> working = new CompletableFuture<>();
        var run = hasty.idempotency("payments")
                .async()
                .run(key, "b", () -> working)
                .toCompletableFuture();
        Awaitility.await().atMost(CAP).until(this::taken);
        proxy.mode(Mode.REFUSE);
        working.complete("late");
        Awaitility.await().pollDelay(Duration.ofSeconds(1)).until(() -> !run.isDone());
        proxy.mode(Mode.PASS);
        assertThat(run.join()).isEqualTo(new Completed<>("late"));
    }

    @Test
    void aResponseThatCannotBeStoredWithinTheLeaseIsAFailureAndTheWorkIsDoneAgain() {
        Idempotency<String> payments = hasty.idempotency("payments", BRIEF);
        assertThatThrownBy(() -> payments.run(key, "b", () -> {
                    proxy.mode(Mode.REFUSE);
                    return work();
                }))
                .isInstanceOf(InterlockException.class);
        proxy.mode(Mode.PASS);
        Awaitility.await()
                .atMost(CAP)
                .ignoreExceptions()
                .until(() -> payments.run(key, "b", this::work) instanceof Completed);
        assertThat(done).hasValue(2);
    }

    @Test
    void theKeyOfADeadCallerIsFreeAfterItsLease() {
        CompletableFuture<String> never = new CompletableFuture<>();
        try (Interlock dying = connect(Topology.PATIENCE)) {
            dying.idempotency("payments", BRIEF).async().run(key, "b", () -> never);
            Awaitility.await().atMost(CAP).until(this::taken);
        }
        Idempotency<String> payments = patient.idempotency("payments", BRIEF);
        assertThat(payments.run(key, "b", this::work)).isInstanceOf(InProgress.class);
        Awaitility.await().atMost(CAP).until(() -> payments.run(key, "b", this::work) instanceof Completed);
        assertThat(done).hasValue(1);
    }

    @Test
    void aRunCancelledOrTimedOutBeforeItsWorkBeginsGivesTheKeyBack() {
        Idempotency<String> payments = patient.idempotency("payments");
        proxy.delay(Duration.ofMillis(200));
        var cancelled = payments.async()
                .run(key, "b", () -> CompletableFuture.completedFuture(work()))
                .toCompletableFuture();
        Awaitility.await().atMost(CAP).until(this::taken);
        cancelled.cancel(false);
        Awaitility.await().atMost(CAP).until(() -> !taken());
        var timedOut = payments.async()
                .run(key, "b", () -> CompletableFuture.completedFuture(work()))
                .toCompletableFuture();
        Awaitility.await().atMost(CAP).until(this::taken);
        timedOut.completeExceptionally(new java.util.concurrent.TimeoutException());
        Awaitility.await().atMost(CAP).until(() -> !taken());
        Disposable subscribed = payments.reactive()
                .run(key, "b", () -> Mono.fromSupplier(this::work))
                .subscribe();
        Awaitility.await().atMost(CAP).until(this::taken);
        subscribed.dispose();
        Awaitility.await().atMost(CAP).until(() -> !taken());
        assertThat(done).hasValue(0);
    }

    @Test
    void aFullServerRefusesToTakeAKeyButLetsOneBeGivenBack() {
        Idempotency<String> payments = patient.idempotency("payments");
        try {
            assertThatThrownBy(() -> payments.run(key, "b", () -> {
                        redis.configSet("maxmemory", "1");
                        throw new UnsupportedOperationException();
                    }))
                    .isInstanceOf(UnsupportedOperationException.class);
            assertThat(taken()).isFalse();
            assertThatThrownBy(() -> payments.run(key, "b", this::work)).isInstanceOf(NotExecutedException.class);
            assertThat(done).hasValue(0);
        } finally {
            redis.configSet("maxmemory", "0");
        }
    }

    @Test
    void workThatGivesNoStageIsFailedWork() {
        var run = patient.idempotency("payments").async().run(key, "b", () -> null);
        assertThatThrownBy(() -> run.toCompletableFuture()
                        .orTimeout(10, TimeUnit.SECONDS)
                        .join())
                .hasCauseInstanceOf(NullPointerException.class);
        assertThat(taken()).isFalse();
    }

    @Test
    void aRunInterruptedBeforeItsWorkBeginsGivesTheKeyBack() {
        Thread.currentThread().interrupt();
        assertThatThrownBy(() -> patient.idempotency("payments").run(key, "b", this::work))
                .isInstanceOf(OutcomeUnknownException.class);
        assertThat(Thread.interrupted()).isTrue();
        Idempotency<String> payments = patient.idempotency("payments");
        Awaitility.await()
                .atMost(Duration.ofSeconds(5))
                .until(() -> payments.run(key, "b", this::work) instanceof Completed);
        assertThat(done).hasValue(1);
    }

    @Test
    void whoClosesInterlockDuringTheWorkHearsThatTheResponseWasNotStored() {
        CompletableFuture<String> working = new CompletableFuture<>();
        CompletableFuture<RunResult<String>> run;
        try (Interlock closing = connect(Topology.PATIENCE)) {
            run = closing.idempotency("payments")
                    .async()
                    .run(key, "b", () -> working)
                    .toCompletableFuture();
            Awaitility.await().atMost(CAP).until(this::taken);
        }
        working.complete("late");
        assertThatThrownBy(() -> run.orTimeout(10, TimeUnit.SECONDS).join())
                .hasCauseInstanceOf(InterlockException.class);
    }
}
