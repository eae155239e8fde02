// SPDX-License-Identifier: Apache-2.0
package dev.interlock.spring.adapter;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.interlock.Interlock;
import dev.interlock.embedded.RedisServer;
import dev.interlock.embedded.RedisTest;
import dev.interlock.lock.LeaseLostException;
import dev.interlock.lock.LockOptions;
import java.time.Duration;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.springframework.integration.support.locks.DistributedLock;

@RedisTest
class LockRegistryIT {
    private static Interlock interlock;
    private final InterlockLockRegistry registry =
            new InterlockLockRegistry(interlock, "registry", LockOptions.DEFAULTS);

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

    private static <T> T elsewhere(Callable<T> work) throws Exception {
        return CompletableFuture.supplyAsync(() -> {
                    try {
                        return work.call();
                    } catch (Exception e) {
                        throw new IllegalStateException(e);
                    }
                })
                .get(20, TimeUnit.SECONDS);
    }

    private static Duration remaining(String key) {
        return interlock
                .lock("registry:" + key)
                .owner()
                .orElseThrow()
                .remaining()
                .orElseThrow();
    }

    @Test
    void excludesOtherThreadsAndIsReentrant() throws Exception {
        DistributedLock lock = registry.obtain("a");
        lock.lock();
        assertThat(registry.obtain("a")).isEqualTo(lock);
        assertThat(registry.obtain("a").tryLock()).isTrue();
        assertThat(elsewhere(() -> registry.obtain("a").tryLock())).isFalse();
        registry.obtain("a").unlock();
        assertThat(elsewhere(() -> registry.obtain("a").tryLock())).isFalse();
        lock.unlock();
        assertThat(elsewhere(() -> {
                    boolean taken = registry.obtain("a").tryLock(5, TimeUnit.SECONDS);
                    registry.obtain("a").unlock();
                    return taken;
                }))
                .isTrue();
        assertThatThrownBy(lock::unlock).isInstanceOf(IllegalMonitorStateException.class);
    }

    @Test
    void runsTasksUnderLock() throws Exception {
        String result = registry.<String, RuntimeException>executeLocked("task", () -> "done");
        assertThat(result).isEqualTo("done");
        registry.obtain("task").lock();
        assertThat(elsewhere(() -> {
                    try {
                        registry.<RuntimeException>executeLocked("task", Duration.ofMillis(50), () -> {});
                        return false;
                    } catch (TimeoutException e) {
                        return true;
                    }
                }))
                .isTrue();
        registry.obtain("task").unlock();
    }

    @Test
    void takesATimeToLiveAndRenewsOnRequest() throws Exception {
        assertThat(registry.obtain("ttl").tryLock(Duration.ZERO, Duration.ofSeconds(5)))
                .isTrue();
        assertThat(remaining("ttl")).isLessThanOrEqualTo(Duration.ofSeconds(5));
        registry.renewLock("ttl", Duration.ofMinutes(2));
        assertThat(remaining("ttl")).isGreaterThan(Duration.ofMinutes(1));
        registry.obtain("ttl").unlock();
        assertThatThrownBy(() -> registry.renewLock("ttl")).isInstanceOf(IllegalMonitorStateException.class);
    }

    @Test
    void tellsOfALostLock() {
        DistributedLock lock = registry.obtain("lost");
        lock.lock(Duration.ofMinutes(1));
        interlock.lock("registry:lost").forceRelease();
        assertThatThrownBy(lock::unlock).isInstanceOf(LeaseLostException.class);
        lock.lock();
        lock.unlock();
    }
}
