// SPDX-License-Identifier: Apache-2.0
package dev.interlock.ledger;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;

class RelayOptionsTest {
    @Test
    void refusesWhatLiesOutsideAndNamesIt() {
        RelayOptions options = RelayOptions.DEFAULTS;
        refused("batchEvents", () -> options.withBatchEvents(0));
        refused("batchEvents", () -> options.withBatchEvents(50_001));
        refused("poll", () -> options.withPoll(Duration.ofMillis(9)));
        refused("poll", () -> options.withPoll(Duration.ofMillis(10_001)));
        refused("lease", () -> options.withLease(Duration.ZERO));
        refused("timeout", () -> options.withTimeout(Duration.ofMillis(99)));
        refused("maxBackoff", () -> options.withMaxBackoff(Duration.ofSeconds(Long.MAX_VALUE)));
        refused("maxLag", () -> ReconcileOptions.DEFAULTS.withMaxLag(Duration.ZERO));
    }

    private static void refused(String parameter, ThrowingCallable call) {
        assertThatThrownBy(call)
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageStartingWith(parameter + " must be from ");
    }

    @Test
    void repairsOnlyWhatThePolicyLetsIt() {
        assertThat(RepairPolicy.ALARM_ONLY.repairs(3)).isFalse();
        assertThat(RepairPolicy.TOWARDS_LESS.repairs(3)).isTrue();
        assertThat(RepairPolicy.TOWARDS_LESS.repairs(-3)).isFalse();
        assertThat(RepairPolicy.REPAIR.repairs(-3)).isTrue();
    }
}
