// SPDX-License-Identifier: Apache-2.0
package dev.interlock.value;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import org.junit.jupiter.api.Test;

class TtlTest {
    @Test
    void acceptsOneMillisecondToAYear() {
        assertThat(Ttl.of(Duration.ofMillis(1))).hasToString("1").isEqualTo(Ttl.of(Duration.ofNanos(1_000_000)));
        assertThat(Ttl.of(Duration.ofDays(366))).hasToString("31622400000").isNotEqualTo(Ttl.KEEP);
    }

    @Test
    void refusesWhatRedisWouldTakeForSomethingElse() {
        for (Duration bad : new Duration[] {
            null,
            Duration.ZERO,
            Duration.ofMillis(-1),
            Duration.ofNanos(1),
            Duration.ofMillis(1).plusNanos(1),
            Duration.ofDays(366).plusMillis(1),
            Duration.ofSeconds(Long.MAX_VALUE)
        }) {
            assertThatThrownBy(() -> Ttl.of(bad))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("ttl");
        }
    }
}
