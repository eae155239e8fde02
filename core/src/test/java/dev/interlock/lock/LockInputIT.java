// SPDX-License-Identifier: Apache-2.0
package dev.interlock.lock;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.interlock.Topology;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Names and times at their limits and beyond. */
class LockInputIT extends LockSetup {
    private static final Duration SECOND = Duration.ofSeconds(1);

    LockInputIT() {
        super(Topology.STANDALONE);
    }

    // Semantics 10 and bad input: names and times

    static Stream<String> goodNames() {
        return Stream.of(
                "}x",
                "{}",
                "a{b}c",
                "a}b{c",
                "a:fence",
                "\uD83D\uDD12",
                "x".repeat(510) + "é",
                "*",
                "?[a-z]\\",
                "%s%n",
                "${jndi:x}",
                "../../etc/passwd",
                "e\u0301",
                "é",
                "a",
                "a:queue",
                "%7B",
                "{",
                "A");
    }

    @Test
    void rule10EveryNameHasKeysOfItsOwnInOneSlot() throws Exception {
        List<String> names = goodNames().toList();
        List<Lease> leases = new ArrayList<>();
        for (String name : names) {
            leases.add(here.lock(name).acquire(SECOND));
        }
        assertThat(leases).extracting(Lease::name).containsExactlyElementsOf(names);
        assertThat(leases).allSatisfy(lease -> assertThat(lease.release()).isEqualTo(new ReleaseResult.Released()));
    }

    static Stream<String> badNames() {
        return Stream.of(
                "",
                " ",
                " a",
                "a ",
                "x".repeat(513),
                "x".repeat(511) + "é",
                "a\u0000b",
                "a\r\nb",
                "\uD800",
                "a\u202Eb",
                "a\u200Bb",
                "\u007F",
                null);
    }

    @ParameterizedTest
    @MethodSource("badNames")
    void rule10ABadNameIsRefusedBeforeAnythingIsSent(String name) {
        assertThatThrownBy(() -> here.lock(name)).isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void badTimesAreRefusedBeforeAnythingIsSent() {
        List<Duration> bad = Arrays.asList(
                null,
                Duration.ZERO,
                Duration.ofMillis(-1),
                Duration.ofNanos(1),
                Duration.ofMillis(9),
                Duration.ofMillis(1L << 31),
                Duration.ofMillis(Long.MAX_VALUE),
                Duration.ofSeconds(Long.MAX_VALUE),
                Duration.ofSeconds(Long.MIN_VALUE));
        String name = Topology.name("job");
        DistributedLock lock = here.lock(name);
        for (Duration time : bad) {
            assertThatThrownBy(() -> LockOptions.DEFAULTS.withLeaseTime(time))
                    .isInstanceOf(IllegalArgumentException.class);
            assertThatThrownBy(() -> LockOptions.DEFAULTS.withoutRenewal(time))
                    .isInstanceOf(IllegalArgumentException.class);
            if (time == null || time.isNegative() || time.toSeconds() > 86_400 || time.toNanosPart() == 1) {
                assertThatThrownBy(() -> lock.acquire(time)).isInstanceOf(IllegalArgumentException.class);
                assertThatThrownBy(() -> lock.tryAcquire(time)).isInstanceOf(IllegalArgumentException.class);
                assertThatThrownBy(() -> lock.async().acquire(time)).isInstanceOf(IllegalArgumentException.class);
                assertThatThrownBy(() -> lock.async().tryAcquire(time)).isInstanceOf(IllegalArgumentException.class);
                assertThatThrownBy(() -> lock.reactive().acquire(time)).isInstanceOf(IllegalArgumentException.class);
                assertThatThrownBy(() -> lock.reactive().tryAcquire(time)).isInstanceOf(IllegalArgumentException.class);
            }
        }
        assertThatThrownBy(() -> LockOptions.DEFAULTS.withLeaseTime(Duration.ofMillis(99)))
                .hasMessageContaining("PT0.1S");
        assertThat(redis.keys(key(name) + "*")).isEmpty();
    }

    @Test
    void theShortestAndTheLongestLeaseAreExact() {
        String name = Topology.name("job");
        Lease day = here.lock(name, leased(LockOptions.MAX_TIME)).tryAcquire().orElseThrow();
        assertThat(redis.pttl(key(name))).isBetween(86_390_000L, 86_400_000L);
        day.close();
        here.lock(name, LockOptions.DEFAULTS.withoutRenewal(LockOptions.MIN_LEASE_TIME))
                .async()
                .tryAcquire()
                .toCompletableFuture()
                .handle((lease, error) -> null)
                .join();
        onlyTheFenceIsLeft(name);
    }
}
