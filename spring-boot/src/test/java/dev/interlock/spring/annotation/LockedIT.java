// SPDX-License-Identifier: Apache-2.0
package dev.interlock.spring.annotation;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.interlock.Interlock;
import dev.interlock.embedded.RedisServer;
import dev.interlock.embedded.RedisTest;
import dev.interlock.lock.Lease;
import dev.interlock.lock.LockTimeoutException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.springframework.context.ConfigurableApplicationContext;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.core.publisher.Sinks;

/** Each shape holds the lock from before its method runs until its result is complete. */
@RedisTest
class LockedIT {
    private static final String NAME = "job:7";

    static class Jobs {
        final AtomicInteger runs = new AtomicInteger();
        CompletableFuture<String> stage = new CompletableFuture<>();
        Sinks.One<String> one = Sinks.one();
        Sinks.Many<String> many = Sinks.many().unicast().onBackpressureBuffer();

        @Nullable
        Interlock interlock;

        @Locked(name = "job:#{#id}", waitTime = "${test.wait}")
        public String blocking(long id, boolean fail) throws Exception {
            runs.incrementAndGet();
            if (fail) {
                throw new Exception("failed");
            }
            return String.valueOf(interlock.lock("job:" + id).owner().isPresent());
        }

        @Locked(name = "job:#{#id}", waitTime = "${test.wait}")
        public CompletionStage<String> stage(long id) {
            runs.incrementAndGet();
            return stage;
        }

        @Locked(name = "job:#{#id}", waitTime = "${test.wait}")
        public Mono<String> one(long id) {
            runs.incrementAndGet();
            return one.asMono();
        }

        @Locked(name = "job:#{#id}", waitTime = "${test.wait}")
        public Flux<String> many(long id) {
            runs.incrementAndGet();
            return many.asFlux();
        }

        @Locked("#{#name}")
        public Mono<String> named(@Nullable String name) {
            return Mono.just(String.valueOf(name));
        }

        @Locked("job:#{#id}")
        public long fence(long id, @Nullable Lease lease) {
            lease.ensureValid();
            return lease.fence();
        }
    }

    private static ConfigurableApplicationContext context;
    private static Jobs proxy;
    private static Interlock interlock;
    private Jobs jobs;

    @BeforeAll
    static void start(RedisServer redis) {
        context = Application.start(redis, Jobs.class);
        proxy = context.getBean(Jobs.class);
        interlock = context.getBean(Interlock.class);
    }

    @AfterAll
    static void stop() {
        context.close();
    }

    @BeforeEach
    void fresh() throws Exception {
        jobs = (Jobs) ((org.springframework.aop.framework.Advised) proxy)
                .getTargetSource()
                .getTarget();
        jobs.interlock = interlock;
        jobs.runs.set(0);
        jobs.stage = new CompletableFuture<>();
        jobs.one = Sinks.one();
        jobs.many = Sinks.many().unicast().onBackpressureBuffer();
        assertFree();
    }

    private static boolean held() {
        return interlock.lock(NAME).owner().isPresent();
    }

    private static void assertFree() {
        await().atMost(Duration.ofSeconds(5)).until(() -> !held());
    }

    private void awaitRun(CompletableFuture<?> result) {
        await().atMost(Duration.ofSeconds(5)).until(() -> jobs.runs.get() > 0 || result.isDone());
        assertThat(result).isNotDone();
        assertThat(jobs.runs).hasValue(1);
        assertThat(held()).isTrue();
    }

    @Test
    void holdsItWhileABlockingMethodRuns() throws Exception {
        assertThat(proxy.blocking(7, false)).isEqualTo("true");
        assertThat(held()).isFalse();
    }

    @Test
    void releasesItWhenABlockingMethodThrows() {
        assertThatThrownBy(() -> proxy.blocking(7, true)).isExactlyInstanceOf(Exception.class);
        assertThat(held()).isFalse();
    }

    @Test
    void holdsItUntilTheStageCompletes() {
        CompletableFuture<String> result = proxy.stage(7).toCompletableFuture();
        awaitRun(result);
        jobs.stage.complete("done");
        assertThat(result.join()).isEqualTo("done");
        assertThat(held()).isFalse();
    }

    @Test
    void releasesItWhenTheStageFails() {
        CompletableFuture<String> result = proxy.stage(7).toCompletableFuture();
        awaitRun(result);
        jobs.stage.completeExceptionally(new IllegalStateException("failed"));
        assertThatThrownBy(result::join).hasCauseExactlyInstanceOf(IllegalStateException.class);
        assertFree();
    }

    @Test
    void releasesItWhenTheStageIsCancelled() {
        CompletableFuture<String> result = proxy.stage(7).toCompletableFuture();
        awaitRun(result);
        result.cancel(false);
        assertFree();
        assertThat(jobs.stage).isCancelled();
    }

    @Test
    void holdsItUntilTheMonoCompletesAtEachSubscription() {
        Mono<String> cold = proxy.one(7);
        assertThat(held()).isFalse();
        assertThat(jobs.runs).hasValue(0);
        CompletableFuture<String> result = cold.toFuture();
        awaitRun(result);
        jobs.one.tryEmitValue("done");
        assertThat(result.join()).isEqualTo("done");
        assertThat(held()).isFalse();
        assertThat(cold.block()).isEqualTo("done");
        assertThat(jobs.runs).hasValue(2);
    }

    @Test
    void releasesItWhenTheMonoFailsOrIsCancelled() {
        CompletableFuture<String> result = proxy.one(7).toFuture();
        awaitRun(result);
        jobs.one.tryEmitError(new IllegalStateException("failed"));
        assertThatThrownBy(result::join).hasCauseExactlyInstanceOf(IllegalStateException.class);
        assertFree();

        jobs.one = Sinks.one();
        jobs.runs.set(0);
        CompletableFuture<String> cancelled = proxy.one(7).toFuture();
        awaitRun(cancelled);
        cancelled.cancel(false);
        assertFree();
    }

    @Test
    void holdsItUntilTheLastElement() {
        CompletableFuture<List<String>> result = proxy.many(7).collectList().toFuture();
        awaitRun(result);
        jobs.many.tryEmitNext("a");
        jobs.many.tryEmitNext("b");
        assertThat(held()).isTrue();
        assertThat(result).isNotDone();
        jobs.many.tryEmitComplete();
        assertThat(result.join()).containsExactly("a", "b");
        assertThat(held()).isFalse();
    }

    @Test
    void releasesItWhenTheFluxIsCancelled() {
        assertThat(proxy.many(7).doOnSubscribe(s -> jobs.many.tryEmitNext("a")).blockFirst(Duration.ofSeconds(5)))
                .isEqualTo("a");
        assertFree();
    }

    @Test
    void neverRunsWithoutTheLock() throws Exception {
        try (Lease other = interlock.lock(NAME).acquire(Duration.ofSeconds(5))) {
            CompletableFuture<String> stage = proxy.stage(7).toCompletableFuture();
            CompletableFuture<String> one = proxy.one(7).toFuture();
            CompletableFuture<String> many = proxy.many(7).next().toFuture();
            assertThatThrownBy(() -> proxy.blocking(7, false)).isInstanceOf(LockTimeoutException.class);
            assertThat(List.of(stage, one, many))
                    .allSatisfy(waiting -> assertThatThrownBy(waiting::join)
                            .isInstanceOf(CompletionException.class)
                            .hasCauseInstanceOf(LockTimeoutException.class));
            proxy.one(7).subscribe().dispose();
            proxy.stage(7).toCompletableFuture().cancel(false);
            assertThat(other.isValid()).isTrue();
        }
        assertFree();
        assertThat(jobs.runs).hasValue(0);
    }

    @Test
    void givesTheLeaseToTheParameterThatWantsIt() {
        long first = proxy.fence(7, null);
        assertThat(proxy.fence(7, null)).isGreaterThan(first);
    }

    @Test
    void refusesABadNameAtTheCall() {
        assertThatThrownBy(() -> proxy.named(" blank")).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> proxy.named(null)).hasMessageContaining("is null");
        assertThat(proxy.named("#{T(java.lang.Runtime).getRuntime()}").block())
                .isEqualTo("#{T(java.lang.Runtime).getRuntime()}");
    }
}
