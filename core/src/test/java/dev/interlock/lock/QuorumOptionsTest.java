// SPDX-License-Identifier: Apache-2.0
package dev.interlock.lock;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

class QuorumOptionsTest {
    private static final QuorumOptions DEFAULTS = QuorumOptions.DEFAULTS;

    @Test
    void timesOutsideTheirRangesAreRefused() {
        for (Duration bad : List.of(
                Duration.ZERO,
                Duration.ofMillis(-1),
                Duration.ofNanos(1),
                Duration.ofDays(2),
                Duration.ofMillis(Long.MAX_VALUE),
                Duration.ofSeconds(Long.MAX_VALUE))) {
            assertThatThrownBy(() -> DEFAULTS.withLeaseTime(bad)).isInstanceOf(IllegalArgumentException.class);
            assertThatThrownBy(() -> DEFAULTS.withoutRenewal(bad)).isInstanceOf(IllegalArgumentException.class);
            assertThatThrownBy(() -> DEFAULTS.withNodeTimeout(bad)).isInstanceOf(IllegalArgumentException.class);
        }
    }

    @Test
    void aLeaseMustOutlastTheNodesThatAreAsked() {
        assertThatThrownBy(() -> DEFAULTS.withLeaseTime(Duration.ofMillis(399)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("leaseTime");
        assertThat(DEFAULTS.withLeaseTime(Duration.ofMillis(400)).leaseTime()).isEqualTo(Duration.ofMillis(400));
        assertThatThrownBy(() -> DEFAULTS.withNodeTimeout(Duration.ofMillis(2_501)))
                .isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void aRenewedLeaseMustHoldAThirdForARoundTrip() {
        QuorumOptions quick = DEFAULTS.withNodeTimeout(Duration.ofMillis(5));
        assertThat(quick.withoutRenewal(Duration.ofMillis(20)).renewal()).isFalse();
        assertThatThrownBy(() -> quick.withLeaseTime(Duration.ofMillis(99)))
                .isInstanceOf(IllegalArgumentException.class);
    }
}
