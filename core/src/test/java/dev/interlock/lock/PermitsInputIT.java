// SPDX-License-Identifier: Apache-2.0
package dev.interlock.lock;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.interlock.CorruptStateException;
import dev.interlock.Interlock;
import dev.interlock.Topology;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What permits make of bad input and of keys that others wrote; in a cluster, where a wrong slot would show too. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class PermitsInputIT {
    private static final Duration LONG = Duration.ofSeconds(20);

    private Servers servers;
    private Interlock here;
    private Interlock there;

    @BeforeAll
    void start() {
        servers = new Servers(Topology.CLUSTER);
        here = servers.here;
        there = servers.there;
    }

    @AfterAll
    void stop() {
        servers.close();
    }

    private static String key(String name) {
        return "interlock:semaphore:{" + name + "}";
    }

    @Test
    void keysOfOthersAreNotTouched() {
        String name = Topology.name("db");
        servers.redis.set(key(name), "theirs");
        assertThatThrownBy(() -> here.semaphore(name, 1).tryAcquire()).isInstanceOf(CorruptStateException.class);
        assertThatThrownBy(() -> here.semaphore(name, 1).tryAcquire(LONG)).isInstanceOf(CorruptStateException.class);
        assertThat(servers.redis.get(key(name))).isEqualTo("theirs");
        servers.redis.del(key(name));
        servers.redis.zadd(key(name), 1, "theirs");
        assertThatThrownBy(() -> here.semaphore(name, 1).tryAcquire())
                .isInstanceOf(CorruptStateException.class)
                .hasMessageContaining("never expire");
        assertThat(servers.redis.zcard(key(name))).isOne();
        servers.redis.del(key(name));
        servers.redis.set(key(name) + ":fence", "1e3");
        servers.redis.expire(key(name) + ":fence", 60);
        assertThatThrownBy(() -> here.semaphore(name, 1).tryAcquire()).isInstanceOf(CorruptStateException.class);
        for (String part : List.of(":queue", ":waiters", ":fence")) {
            servers.redis.del(key(name) + ":fence");
            servers.redis.zadd(key(name) + part, 1, "theirs");
            servers.redis.expire(key(name) + part, 60);
            assertThatThrownBy(() -> here.semaphore(name, 1).tryAcquire()).isInstanceOf(CorruptStateException.class);
            assertThat(servers.redis.exists(key(name))).isZero();
            servers.redis.del(key(name) + part);
        }
    }

    @Test
    void badInputIsRefusedBeforeAnythingIsSent() {
        for (int permits : new int[] {0, -1, Integer.MIN_VALUE, 1_000_001}) {
            assertThatThrownBy(() -> here.semaphore("a", permits)).isInstanceOf(IllegalArgumentException.class);
        }
        for (String name : new String[] {"", " ", "a\0b", "\uD800", "x".repeat(513)}) {
            assertThatThrownBy(() -> here.semaphore(name, 1)).isInstanceOf(IllegalArgumentException.class);
            assertThatThrownBy(() -> here.locks().readWriteLock(name)).isInstanceOf(IllegalArgumentException.class);
        }
        Permits permits = here.semaphore("a", 1);
        for (Duration wait :
                new Duration[] {Duration.ofMillis(-1), Duration.ofNanos(1), Duration.ofSeconds(Long.MAX_VALUE)}) {
            assertThatThrownBy(() -> permits.tryAcquire(wait)).isInstanceOf(IllegalArgumentException.class);
            assertThatThrownBy(() -> permits.async().tryAcquire(wait)).isInstanceOf(IllegalArgumentException.class);
            assertThatThrownBy(() -> permits.reactive().acquire(wait)).isInstanceOf(IllegalArgumentException.class);
        }
        for (String token : new String[] {"", "me", "G".repeat(32)}) {
            assertThatThrownBy(() -> permits.release(token)).isInstanceOf(IllegalArgumentException.class);
            assertThatThrownBy(() -> permits.reactive().release(token)).isInstanceOf(IllegalArgumentException.class);
        }
        assertThat(servers.redis.keys("interlock:semaphore:{a}*")).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(strings = {"}x", "{}", "a{b}c", "a}b{c", "a:fence", "🔒"})
    void hostileNamesAreTakenLiterally(String name) {
        try (Lease lease = here.semaphore(name, 1).tryAcquire().orElseThrow()) {
            assertThat(lease.isValid()).isTrue();
            assertThat(there.semaphore(name, 1).tryAcquire()).isEmpty();
        }
    }
}
