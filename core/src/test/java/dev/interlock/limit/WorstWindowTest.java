// SPDX-License-Identifier: Apache-2.0
package dev.interlock.limit;

import static org.assertj.core.api.Assertions.assertThat;

import dev.interlock.limit.Oracle.Grant;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The checkers find what is bad and accept what is good. */
class WorstWindowTest {
    private static final Duration SECOND = Duration.ofSeconds(1);

    private static List<Grant> every(long micros, int count) {
        List<Grant> grants = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            grants.add(new Grant(1 + i * micros, 1));
        }
        return grants;
    }

    private static List<Grant> and(List<Grant> grants, Grant more) {
        List<Grant> all = new ArrayList<>(grants);
        all.add(more);
        return all;
    }

    @Test
    void acceptsExactlyTheLimitInEveryWindow() {
        assertThat(WorstWindow.keeps(Limit.slidingWindow(10, SECOND), every(100_000, 100)))
                .isTrue();
        assertThat(WorstWindow.keeps(Limit.slidingCounter(10, SECOND), every(100_000, 100)))
                .isTrue();
        assertThat(WorstWindow.keeps(Limit.fixedWindow(10, SECOND), every(100_000, 100)))
                .isTrue();
        assertThat(WorstWindow.keeps(Limit.gcra(10, SECOND).burst(1), every(100_000, 100)))
                .isTrue();
    }

    @Test
    void findsOneUnitTooManyInAWindow() {
        Limit limit = Limit.slidingWindow(10, SECOND);
        assertThat(WorstWindow.keeps(limit, and(every(100_000, 100), new Grant(4_550_000, 1))))
                .isFalse();
        assertThat(WorstWindow.keeps(limit, every(99_999, 100))).isFalse();
        assertThat(WorstWindow.keeps(limit, List.of(new Grant(5, 11)))).isFalse();
    }

    @Test
    void findsTooManyAcrossAnEdgeButNotInAlignedWindows() {
        List<Grant> edge = List.of(new Grant(999_999, 10), new Grant(1_000_000, 1));
        assertThat(WorstWindow.keeps(Limit.slidingWindow(10, SECOND), edge)).isFalse();
        assertThat(WorstWindow.keeps(Limit.fixedWindow(10, SECOND), edge)).isTrue();
        assertThat(WorstWindow.keeps(Limit.fixedWindow(9, SECOND), edge)).isFalse();
    }

    @Test
    void countsAWindowThatIsOpenAtItsOldEnd() {
        List<Grant> grants = List.of(new Grant(1_000_000, 10), new Grant(2_000_000, 10));
        assertThat(WorstWindow.keeps(Limit.slidingWindow(10, SECOND), grants)).isTrue();
        List<Grant> tooEarly = List.of(new Grant(1_000_000, 10), new Grant(1_999_999, 1));
        assertThat(WorstWindow.keeps(Limit.slidingWindow(10, SECOND), tooEarly)).isFalse();
    }

    @Test
    void findsABucketThatGaveTooMuchInAnyInterval() {
        Limit.Gcra limit = Limit.gcra(10, SECOND).burst(5);
        assertThat(WorstWindow.keeps(limit, List.of(new Grant(1, 5), new Grant(100_001, 1))))
                .isTrue();
        assertThat(WorstWindow.keeps(limit, List.of(new Grant(1, 5), new Grant(100_000, 1))))
                .isFalse();
        assertThat(WorstWindow.keeps(limit, List.of(new Grant(1, 6)))).isFalse();
        assertThat(WorstWindow.keeps(limit, and(every(100_000, 50), new Grant(2_000_000, 5))))
                .isFalse();
    }
}
