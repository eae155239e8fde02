// SPDX-License-Identifier: Apache-2.0
package dev.interlock.spring.annotation;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.interlock.embedded.RedisServer;
import dev.interlock.embedded.RedisTest;
import java.math.BigDecimal;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.transaction.support.TransactionSynchronizationManager;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.core.publisher.Sinks;
import reactor.util.context.ContextView;

@RedisTest
class IdempotentIT {
    static final AtomicInteger RUNS = new AtomicInteger();
    static final AtomicInteger IDS = new AtomicInteger();

    record Receipt(int number, BigDecimal amount, Instant at, List<String> lines) {}

    static class Payments {
        Sinks.One<Receipt> late = Sinks.one();

        private static Receipt receipt(String amount) {
            return new Receipt(
                    RUNS.incrementAndGet(), new BigDecimal(amount), Instant.ofEpochSecond(7), List.of("a", "b"));
        }

        @Idempotent(name = "pay", key = "#{#key}")
        public Receipt blocking(String key, String amount) {
            return receipt(amount);
        }

        @Idempotent(key = "#{#key}")
        public void nothing(String key) {
            RUNS.incrementAndGet();
        }

        @Idempotent(key = "#{#key}")
        public CompletionStage<Receipt> stage(String key, String amount) {
            return CompletableFuture.supplyAsync(() -> receipt(amount));
        }

        @Idempotent(key = "#{#key}")
        public Mono<Receipt> one(String key, String amount) {
            return Mono.fromSupplier(() -> receipt(amount));
        }

        @Idempotent(key = "#{#key}")
        public Mono<Receipt> empty(String key) {
            return Mono.<Receipt>empty().doOnSubscribe(s -> RUNS.incrementAndGet());
        }

        @Idempotent(key = "#{#key}")
        public Flux<Receipt> many(String key, String amount) {
            return Flux.defer(() -> Flux.just(receipt(amount), receipt(amount)));
        }

        @Idempotent(key = "#{#key}")
        public Mono<Receipt> late(String key) {
            RUNS.incrementAndGet();
            return late.asMono();
        }

        @Idempotent(key = "#{#key}")
        public Mono<String> context(String key) {
            return Mono.deferContextual((ContextView context) -> Mono.just(context.get("user")));
        }

        @Idempotent(key = "#{#key}")
        public String failing(String key) throws Exception {
            if (RUNS.incrementAndGet() == 1) {
                throw new Exception("the first fails");
            }
            return "done";
        }

        @Idempotent(key = "#{#key}", fingerprint = "#{#amount}")
        public int byAmount(String key, String amount, Object ignored) {
            return RUNS.incrementAndGet();
        }
    }

    private static ConfigurableApplicationContext context;
    private static Payments payments;
    private String key = "";

    @BeforeAll
    static void start(RedisServer redis) {
        context = Application.start(redis, Payments.class);
        payments = context.getBean(Payments.class);
    }

    @AfterAll
    static void stop() {
        context.close();
    }

    @BeforeEach
    void fresh() {
        RUNS.set(0);
        key = "key-" + IDS.incrementAndGet();
    }

    @Test
    void runsOnceAndGivesTheSameResultAgain() {
        Receipt first = payments.blocking(key, "1.50");
        assertThat(first)
                .isEqualTo(new Receipt(1, new BigDecimal("1.50"), Instant.ofEpochSecond(7), List.of("a", "b")));
        assertThat(payments.blocking(key, "1.50")).isEqualTo(first);
        assertThat(RUNS).hasValue(1);
        payments.nothing(key);
        payments.nothing(key);
        assertThat(RUNS).hasValue(2);
    }

    @Test
    void runsOnceInEveryShape() {
        Receipt staged = payments.stage(key, "2").toCompletableFuture().join();
        assertThat(payments.stage(key, "2").toCompletableFuture().join()).isEqualTo(staged);
        Receipt mono = payments.one(key, "2").block();
        assertThat(payments.one(key, "2").block()).isEqualTo(mono);
        List<Receipt> many = payments.many(key, "2").collectList().block();
        assertThat(many).hasSize(2);
        assertThat(payments.many(key, "2").collectList().block()).isEqualTo(many);
        assertThat(RUNS).hasValue(4);
        assertThat(payments.empty(key).blockOptional()).isEmpty();
        assertThat(payments.empty(key).blockOptional()).isEmpty();
        assertThat(RUNS).hasValue(5);
    }

    @Test
    void refusesTheKeyWithOtherArguments() {
        payments.blocking(key, "1");
        assertThatThrownBy(() -> payments.blocking(key, "2")).isInstanceOf(KeyReusedException.class);
        payments.one(key, "1").block();
        assertThatThrownBy(() -> payments.one(key, "2").block()).isInstanceOf(KeyReusedException.class);
        assertThat(RUNS).hasValue(2);
    }

    @Test
    void refusesTheKeyWhileItRuns() {
        Mono<Receipt> running = payments.late(key);
        CompletableFuture<Receipt> result = running.toFuture();
        await().atMost(Duration.ofSeconds(5)).until(() -> RUNS.get() == 1);
        assertThatThrownBy(running::block)
                .isInstanceOfSatisfying(
                        WorkInProgressException.class,
                        refused -> assertThat(refused.retryAfter())
                                .isBetween(Duration.ofMillis(1), Duration.ofSeconds(10)));
        Receipt receipt = new Receipt(9, BigDecimal.ONE, Instant.EPOCH, List.of());
        target().late.tryEmitValue(receipt);
        assertThat(result.join()).isEqualTo(receipt);
        assertThat(running.block()).isEqualTo(receipt);
        assertThat(RUNS).hasValue(1);
    }

    private static Payments target() {
        try {
            return (Payments) ((org.springframework.aop.framework.Advised) payments)
                    .getTargetSource()
                    .getTarget();
        } catch (Exception e) {
            throw new AssertionError(e);
        }
    }

    @Test
    void forgetsACallThatThrows() throws Exception {
        assertThatThrownBy(() -> payments.failing(key)).isExactlyInstanceOf(Exception.class);
        assertThat(payments.failing(key)).isEqualTo("done");
        assertThat(payments.failing(key)).isEqualTo("done");
        assertThat(RUNS).hasValue(2);
    }

    @Test
    void givesTheWorkTheContextOfItsSubscriber() {
        assertThat(payments.context(key)
                        .contextWrite(ctx -> ctx.put("user", "ann"))
                        .block())
                .isEqualTo("ann");
    }

    @Test
    void takesAFingerprintOfItsOwn() {
        assertThat(payments.byAmount(key, "1", new Object())).isEqualTo(1);
        assertThat(payments.byAmount(key, "1", new Object())).isEqualTo(1);
        assertThatThrownBy(() -> payments.byAmount(key, "2", "x")).isInstanceOf(KeyReusedException.class);
    }

    @Test
    void refusesACallWithinATransactionThatMayStillRollBack() {
        TransactionSynchronizationManager.setActualTransactionActive(true);
        try {
            assertThatThrownBy(() -> payments.blocking(key, "1")).hasMessageContaining("within a transaction");
        } finally {
            TransactionSynchronizationManager.setActualTransactionActive(false);
        }
        assertThat(payments.blocking(key, "1").number()).isEqualTo(1);
    }

    static class Anything {
        @Idempotent(key = "#{#key}")
        public @Nullable Object work(String key) {
            return null;
        }
    }

    static class Elements {
        @Idempotent(key = "#{#key}")
        public Mono<List<?>> work(String key) {
            return Mono.empty();
        }
    }

    static class Open {
        @Idempotent(key = "#{#key}")
        public @Nullable Runner work(String key) {
            return null;
        }
    }

    interface Runner {}

    static Stream<Class<?>> unclear() {
        return Stream.of(Anything.class, Elements.class, Open.class);
    }

    @ParameterizedTest
    @MethodSource("unclear")
    void refusesToStartWithAResultThatCouldBeAnything(Class<?> bean, RedisServer redis) {
        assertThatThrownBy(() -> Application.start(redis, bean)).rootCause().hasMessageContaining("cannot be kept");
    }
}
