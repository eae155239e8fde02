// SPDX-License-Identifier: Apache-2.0
package dev.interlock.spring.adapter;

import static org.assertj.core.api.Assertions.assertThat;

import dev.interlock.Interlock;
import dev.interlock.embedded.RedisServer;
import dev.interlock.embedded.RedisTest;
import java.time.Duration;
import java.util.Optional;
import net.javacrumbs.shedlock.core.ClockProvider;
import net.javacrumbs.shedlock.core.DefaultLockingTaskExecutor;
import net.javacrumbs.shedlock.core.LockConfiguration;
import net.javacrumbs.shedlock.core.SimpleLock;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

@RedisTest
class LockProviderIT {
    private static final Duration LONG = Duration.ofMinutes(5);
    private static Interlock interlock;
    private final InterlockLockProvider provider = new InterlockLockProvider(interlock);

    @BeforeAll
    static void connect(RedisServer server) {
        interlock = Interlock.builder()
                .uri(server.uri())
                .commandTimeout(Duration.ofSeconds(10))
                .build();
    }

    @AfterAll
    static void close() {
        interlock.close();
    }

    private static LockConfiguration job(String name, Duration most, Duration least) {
        return new LockConfiguration(ClockProvider.now(), name, most, least);
    }

    private static Duration remaining(String name) {
        return interlock.lock(name).owner().orElseThrow().remaining().orElseThrow();
    }

    @Test
    void runsAJobOnOneNodeOnly() {
        SimpleLock first = provider.lock(job("once", LONG, Duration.ZERO)).orElseThrow();
        assertThat(provider.lock(job("once", LONG, Duration.ZERO))).isEmpty();
        assertThat(remaining("once")).isBetween(LONG.minusSeconds(30), LONG);
        first.unlock();
        Optional<SimpleLock> next = provider.lock(job("once", LONG, Duration.ZERO));
        assertThat(next).isPresent();
        next.get().unlock();
    }

    @Test
    void keepsTheLockForAtLeastAsLongAsWanted() {
        provider.lock(job("least", LONG, Duration.ofSeconds(60))).orElseThrow().unlock();
        assertThat(provider.lock(job("least", LONG, Duration.ZERO))).isEmpty();
        assertThat(remaining("least")).isBetween(Duration.ofSeconds(30), Duration.ofSeconds(60));
    }

    @Test
    void isNotRenewedBeyondItsTimeUnlessExtended() {
        SimpleLock lock = provider.lock(job("extended", Duration.ofSeconds(30), Duration.ZERO))
                .orElseThrow();
        assertThat(remaining("extended")).isLessThanOrEqualTo(Duration.ofSeconds(30));
        SimpleLock longer = lock.extend(LONG, Duration.ZERO).orElseThrow();
        assertThat(remaining("extended")).isGreaterThan(Duration.ofSeconds(60));
        longer.unlock();
        SimpleLock lost = provider.lock(job("extended", LONG, Duration.ZERO)).orElseThrow();
        interlock.lock("extended").forceRelease();
        assertThat(lost.extend(LONG, Duration.ZERO)).isEmpty();
    }

    @Test
    void servesShedLocksExecutor() throws Throwable {
        DefaultLockingTaskExecutor executor = new DefaultLockingTaskExecutor(provider);
        assertThat(executor.executeWithLock(
                                () -> executor.executeWithLock(() -> "inner", job("task", LONG, Duration.ZERO)),
                                job("task2", LONG, Duration.ZERO))
                        .wasExecuted())
                .isTrue();
        try (var held = interlock.lock("task").acquire(Duration.ZERO)) {
            assertThat(executor.executeWithLock(() -> "never", job(held.name(), LONG, Duration.ZERO))
                            .wasExecuted())
                    .isFalse();
        }
    }
}
