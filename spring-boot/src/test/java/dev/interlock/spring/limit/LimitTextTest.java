// SPDX-License-Identifier: Apache-2.0
package dev.interlock.spring.limit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.interlock.limit.Limit;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class LimitTextTest {
    @Test
    void readsEachAlgorithm() {
        assertThat(LimitText.parse("100/1m", Algorithm.SLIDING_WINDOW))
                .isEqualTo(Limit.slidingWindow(100, Duration.ofMinutes(1)));
        assertThat(LimitText.parse("5/500ms", Algorithm.SLIDING_COUNTER))
                .isEqualTo(Limit.slidingCounter(5, Duration.ofMillis(500)));
        assertThat(LimitText.parse("7/1d", Algorithm.FIXED_WINDOW)).isEqualTo(Limit.fixedWindow(7, Duration.ofDays(1)));
        assertThat(LimitText.parse("10/PT1S", Algorithm.GCRA)).isEqualTo(Limit.gcra(10, Duration.ofSeconds(1)));
        assertThat(LimitText.parse("10/1s burst 20", Algorithm.GCRA))
                .isEqualTo(Limit.gcra(10, Duration.ofSeconds(1)).burst(20));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "100",
                "/1m",
                "100/",
                "0/1m",
                "-1/1m",
                "+5/1m",
                "007/1m",
                "1e3/1m",
                "0x10/1m",
                "٣/1m",
                "1.5/1m",
                " 5/1m",
                "5 /1m",
                "5/0s",
                "5/-1s",
                "5/1y",
                "5/1m burst",
                "5/1m burst 0",
                "99999999999999/1s",
                "5/1ms\n",
                "5/99999999999999999d"
            })
    void refusesEverythingElse(String text) {
        assertThatThrownBy(() -> LimitText.parse(text, Algorithm.GCRA)).isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void refusesABurstWhereThereIsNone() {
        assertThatThrownBy(() -> LimitText.parse("5/1m burst 9", Algorithm.SLIDING_WINDOW))
                .hasMessageContaining("only GCRA has a burst");
    }
}
