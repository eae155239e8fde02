// SPDX-License-Identifier: Apache-2.0
package dev.interlock.spring.annotation;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.interlock.embedded.RedisServer;
import dev.interlock.embedded.RedisTest;
import dev.interlock.spring.limit.Algorithm;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.springframework.context.ConfigurableApplicationContext;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

@RedisTest
class RateLimitedIT {
    static final AtomicInteger RUNS = new AtomicInteger();

    static class Api {
        @RateLimited(key = "#{#user}", limit = "2/1h", deadline = "5s")
        public String blocking(String user) {
            RUNS.incrementAndGet();
            return user;
        }

        @RateLimited(key = "#{#user}", limit = "2/1h", deadline = "5s")
        public CompletionStage<String> stage(String user) {
            RUNS.incrementAndGet();
            return CompletableFuture.completedFuture(user);
        }

        @RateLimited(key = "#{#user}", limit = "2/1h", deadline = "5s")
        public Mono<String> one(String user) {
            RUNS.incrementAndGet();
            return Mono.just(user);
        }

        @RateLimited(key = "#{#user}", limit = "2/1h", deadline = "5s")
        public Flux<String> many(String user) {
            RUNS.incrementAndGet();
            return Flux.just(user);
        }

        @RateLimited(
                name = "both",
                key = "all",
                limit = {"5/1h burst 5", "3/1h"},
                algorithm = Algorithm.GCRA,
                cost = 3,
                deadline = "5s")
        public void costly() {}
    }

    static Stream<Arguments> shapes() {
        return Stream.of(
                Arguments.of("blocking", (Function<Api, String>) api -> api.blocking("ann")),
                Arguments.of("stage", (Function<Api, String>)
                        api -> api.stage("ann").toCompletableFuture().join()),
                Arguments.of(
                        "one", (Function<Api, String>) api -> api.one("ann").block()),
                Arguments.of(
                        "many", (Function<Api, String>) api -> api.many("ann").blockLast()));
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("shapes")
    void runsWithinTheLimitAndTellsTheDecisionBeyond(String shape, Function<Api, String> call, RedisServer redis) {
        RUNS.set(0);
        try (ConfigurableApplicationContext context = Application.start(redis, Api.class)) {
            Api api = context.getBean(Api.class);
            assertThat(call.apply(api)).isEqualTo("ann");
            assertThat(call.apply(api)).isEqualTo("ann");
            assertThatThrownBy(() -> call.apply(api)).satisfies(thrown -> {
                Throwable denied = thrown instanceof CompletionException ? thrown.getCause() : thrown;
                assertThat(denied).isInstanceOfSatisfying(RateLimitedException.class, refusal -> {
                    assertThat(refusal.limiter()).isEqualTo("Api." + shape);
                    assertThat(refusal.decision().allowed()).isFalse();
                    assertThat(refusal.decision().retryAfter()).isBetween(Duration.ofMinutes(59), Duration.ofHours(1));
                    assertThat(refusal).hasMessageNotContaining("ann");
                });
            });
            assertThat(RUNS).hasValue(2);
            assertThat(api.blocking("bob-" + shape)).isEqualTo("bob-" + shape);
        }
    }

    @Test
    void takesTheCostFromAllLimits(RedisServer redis) {
        try (ConfigurableApplicationContext context = Application.start(redis, Api.class)) {
            Api api = context.getBean(Api.class);
            api.costly();
            assertThatThrownBy(api::costly).isInstanceOf(RateLimitedException.class);
        }
    }
}
