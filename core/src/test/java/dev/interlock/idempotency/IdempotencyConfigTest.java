// SPDX-License-Identifier: Apache-2.0
package dev.interlock.idempotency;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.interlock.Codec;
import java.time.Duration;
import org.junit.jupiter.api.Test;

class IdempotencyConfigTest {
    private final IdempotencyConfig<String> defaults = IdempotencyConfig.of(Codec.utf8());

    @Test
    void hasASafeDefaultForBothTimes() {
        assertThat(defaults.lease()).isEqualTo(Duration.ofSeconds(10));
        assertThat(defaults.responseTtl()).isEqualTo(Duration.ofHours(24));
    }

    @Test
    void refusesALeaseThatIsTooShortTooLongOrLongerThanTheResponseLives() {
        for (Duration bad : new Duration[] {
            null,
            Duration.ZERO,
            Duration.ofMillis(999),
            Duration.ofNanos(1),
            Duration.ofMinutes(61),
            Duration.ofSeconds(-1)
        }) {
            assertThatThrownBy(() -> defaults.withLease(bad)).isInstanceOf(IllegalArgumentException.class);
        }
        assertThatThrownBy(() -> defaults.withResponseTtl(Duration.ofSeconds(9)))
                .hasMessageContaining("responseTtl");
        assertThatThrownBy(() -> defaults.withResponseTtl(Duration.ofSeconds(Long.MAX_VALUE)))
                .hasMessageContaining("responseTtl");
        assertThatThrownBy(() -> IdempotencyConfig.of(null)).hasMessageContaining("codec");
    }
}
