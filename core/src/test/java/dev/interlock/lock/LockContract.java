// SPDX-License-Identifier: Apache-2.0
package dev.interlock.lock;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.interlock.CorruptStateException;
import dev.interlock.Interlock;
import dev.interlock.Topology;
import dev.interlock.embedded.RedisServer;
import io.lettuce.core.RedisClient;
import io.lettuce.core.SetArgs;
import io.lettuce.core.api.StatefulRedisConnection;
import io.lettuce.core.api.sync.RedisCommands;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What every lock promises, in all three views; the subclasses say on which topology. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
abstract class LockContract {
    private static final Duration LONG = Duration.ofSeconds(20);
    private static final Duration SHORT = Duration.ofMillis(60);

    private final Topology topology;
    private RedisServer server;
    /** Two Interlocks, as two JVMs have. */
    private Interlock here;

    private Interlock there;
    private RedisClient client;
    private StatefulRedisConnection<String, String> connection;
    private RedisCommands<String, String> redis;

    LockContract(Topology topology) {
        this.topology = topology;
    }

    /** Ways to call the same operation. */
    enum View {
        BLOCKING,
        ASYNC,
        REACTIVE;

        Optional<Lease> tryAcquire(DistributedLock lock) {
            return switch (this) {
                case BLOCKING -> lock.tryAcquire();
                case ASYNC -> lock.async().tryAcquire().toCompletableFuture().join();
                case REACTIVE -> lock.reactive().tryAcquire().blockOptional();
            };
        }

        Optional<Lease> tryAcquire(DistributedLock lock, Duration wait) throws InterruptedException {
            return switch (this) {
                case BLOCKING -> lock.tryAcquire(wait);
                case ASYNC -> lock.async().tryAcquire(wait).toCompletableFuture().join();
                case REACTIVE -> lock.reactive().tryAcquire(wait).blockOptional();
            };
        }

        Lease acquire(DistributedLock lock, Duration wait) throws InterruptedException {
            return switch (this) {
                case BLOCKING -> lock.acquire(wait);
                case ASYNC -> joined(lock.async().acquire(wait).toCompletableFuture());
                case REACTIVE -> lock.reactive().acquire(wait).block();
            };
        }

        ReleaseResult release(DistributedLock lock, String token) {
            return switch (this) {
                case BLOCKING -> lock.release(token);
                case ASYNC -> lock.async().release(token).toCompletableFuture().join();
                case REACTIVE -> lock.reactive().release(token).block();
            };
        }

        ReleaseResult release(Lease lease) {
            return switch (this) {
                case BLOCKING -> lease.release();
                case ASYNC -> lease.async().release().toCompletableFuture().join();
                case REACTIVE -> lease.reactive().release().block();
            };
        }

        void extend(Lease lease, Duration time) {
            switch (this) {
                case BLOCKING -> lease.extend(time);
                case ASYNC -> joined(lease.async().extend(time).toCompletableFuture());
                case REACTIVE -> lease.reactive().extend(time).block();
            }
        }

        boolean forceRelease(DistributedLock lock) {
            return switch (this) {
                case BLOCKING -> lock.forceRelease();
                case ASYNC -> lock.async().forceRelease().toCompletableFuture().join();
                case REACTIVE -> Boolean.TRUE.equals(lock.reactive().forceRelease().block());
            };
        }

        Optional<LockOwner> owner(DistributedLock lock) {
            return switch (this) {
                case BLOCKING -> lock.owner();
                case ASYNC -> lock.async().owner().toCompletableFuture().join();
                case REACTIVE -> lock.reactive().owner().blockOptional();
            };
        }

        private static <T> T joined(CompletableFuture<T> future) {
            try {
                return future.join();
            } catch (CompletionException e) {
                throw e.getCause() instanceof RuntimeException cause ? cause : e;
            }
        }
    }

    @BeforeAll
    void start() {
        server = topology.start();
        here = Topology.connect(server);
        there = Topology.connect(server);
        client = RedisClient.create(server.uri());
        connection = client.connect();
        redis = connection.sync();
    }

    @AfterAll
    void stop() {
        here.close();
        there.close();
        client.shutdown(0, 1, TimeUnit.SECONDS);
        server.close();
    }

    /** Whatever a test did, every key it left has a TTL. */
    @AfterEach
    void noKeyIsWithoutTtl() {
        assertThat(redis.keys("interlock:lock:*")).allSatisfy(key -> assertThat(redis.pttl(key))
                .as(key)
                .isNotEqualTo(-1));
    }

    private static String key(String name) {
        return "interlock:lock:{" + name + "}";
    }

    private static LockOptions leased(Duration time) {
        return LockOptions.DEFAULTS.withLeaseTime(time);
    }

    // Semantics 1: acquire

    @ParameterizedTest
    @EnumSource(View.class)
    void rule1AFreeLockIsGrantedWithItsTtlAndRefusedToOthers(View view) {
        String name = Topology.name("job");
        Lease lease = view.tryAcquire(here.lock(name)).orElseThrow();
        assertThat(redis.pttl(key(name))).isBetween(25_000L, 30_000L);
        assertThat(redis.get(key(name))).startsWith(lease.ownerToken() + "\t" + lease.fence() + "\t");
        assertThat(view.tryAcquire(there.lock(name))).isEmpty();
        assertThat(view.tryAcquire(here.lock(name))).isEmpty();
        assertThat(lease.name()).isEqualTo(name);
        assertThat(lease.isValid()).isTrue();
        assertThat(lease.validFor()).isBetween(Duration.ofSeconds(25), Duration.ofMillis(29_698));
        assertThat(view.release(lease)).isEqualTo(new ReleaseResult.Released());
        assertThat(redis.exists(key(name))).isZero();
        assertThat(lease.isValid()).isFalse();
    }

    @ParameterizedTest
    @EnumSource(View.class)
    void aHeldLockIsRefusedAfterTheWaitOnly(View view) throws InterruptedException {
        String name = Topology.name("job");
        try (Lease lease = there.lock(name).acquire(LONG)) {
            long begin = System.nanoTime();
            assertThat(view.tryAcquire(here.lock(name), Duration.ofMillis(200))).isEmpty();
            assertThatThrownBy(() -> view.acquire(here.lock(name), Duration.ofMillis(200)))
                    .isInstanceOf(LockTimeoutException.class)
                    .hasMessageContaining(name);
            assertThat(System.nanoTime() - begin).isGreaterThan(TimeUnit.MILLISECONDS.toNanos(400));
            lease.ensureValid();
        }
        Awaitility.await().atMost(LONG).untilAsserted(() -> assertThat(redis.keys(key(name) + "*"))
                .containsExactly(key(name) + ":fence"));
    }

    @ParameterizedTest
    @EnumSource(View.class)
    void aWaiterGetsTheLockWhenItIsReleasedElsewhereOrHere(View view) throws Exception {
        for (Interlock holder : List.of(here, there)) {
            String name = Topology.name("job");
            Lease first = holder.lock(name).acquire(LONG);
            CompletableFuture<Lease> second = CompletableFuture.supplyAsync(() -> {
                try {
                    return view.acquire(here.lock(name), LONG);
                } catch (InterruptedException e) {
                    throw new IllegalStateException(e);
                }
            });
            assertThatThrownBy(() -> second.get(100, TimeUnit.MILLISECONDS))
                    .isInstanceOf(java.util.concurrent.TimeoutException.class);
            assertThat(first.release()).isEqualTo(new ReleaseResult.Released());
            Lease lease = second.get(5, TimeUnit.SECONDS);
            assertThat(lease.fence()).isGreaterThan(first.fence());
            assertThat(lease.isValid()).isTrue();
            assertThat(lease.release()).isEqualTo(new ReleaseResult.Released());
        }
    }
}
