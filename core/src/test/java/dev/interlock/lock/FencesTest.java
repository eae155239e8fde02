// SPDX-License-Identifier: Apache-2.0
package dev.interlock.lock;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.NullSource;
import org.junit.jupiter.params.provider.ValueSource;

class FencesTest {
    @ParameterizedTest
    @ValueSource(longs = {1, 42, Fences.MAX})
    void aHeaderCarriesAnyFence(long fence) {
        assertThat(Fences.parse(Fences.header(fence))).isEqualTo(fence);
    }

    @ParameterizedTest
    @ValueSource(longs = {0, -1, Long.MIN_VALUE, Fences.MAX + 1, Long.MAX_VALUE})
    void whatIsNoFenceIsRefused(long fence) {
        assertThatThrownBy(() -> Fences.header(fence)).isInstanceOf(IllegalArgumentException.class);
    }

    @ParameterizedTest
    @NullSource
    @ValueSource(
            strings = {
                "",
                " ",
                "0",
                "-1",
                "+5",
                "007",
                " 5",
                "5 ",
                "1.5",
                "1e3",
                "0x10",
                "٣",
                "NaN",
                "9007199254740992",
                "99999999999999999999"
            })
    void aHeaderIsReadStrictly(String header) {
        assertThatThrownBy(() -> Fences.parse(header))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining(Fences.HEADER);
    }

    @Test
    void theLargestFenceIsExactInFloatingPoint() {
        assertThat((long) (double) Fences.MAX).isEqualTo(Fences.MAX);
        assertThat((double) (Fences.MAX + 2)).isEqualTo((double) (Fences.MAX + 1));
    }
}
