// SPDX-License-Identifier: Apache-2.0
package dev.interlock.lock;

import static org.assertj.core.api.Assertions.assertThat;

import dev.interlock.lock.LockHistory.Use;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The judge of the contention test is judged first, on histories made by hand. */
class LockHistoryTest {
    private static List<String> judge(List<Long> deletions, Use... uses) {
        return new LockHistory(List.of(uses), deletions, 10).violations();
    }

    private static Use use(long fence, long from, long until) {
        return new Use("job", fence, from, until);
    }

    @Test
    void acceptsLeasesThatFollowEachOther() {
        assertThat(judge(List.of(), use(2, 10, 20), use(1, 0, 10), use(5, 20, 20)))
                .isEmpty();
    }

    @Test
    void findsAnOverlap() {
        assertThat(judge(List.of(), use(1, 0, 10), use(2, 9, 20))).hasSize(1);
    }

    @Test
    void findsAnOverlapWithALeaseBeforeTheLast() {
        assertThat(judge(List.of(), use(1, 0, 30), use(2, 31, 31), use(3, 29, 40)))
                .isNotEmpty();
    }

    @Test
    void findsAFenceThatFell() {
        assertThat(judge(List.of(), use(2, 0, 10), use(1, 20, 30))).hasSize(1);
    }

    @Test
    void findsOneFenceWithTwoOwners() {
        assertThat(judge(List.of(), use(1, 0, 10), use(1, 20, 30))).hasSize(1);
    }

    @Test
    void excusesTheHolderOfADeletedLockForAWhileOnly() {
        assertThat(judge(List.of(5L), use(1, 0, 14), use(2, 6, 20))).isEmpty();
        assertThat(judge(List.of(5L), use(1, 0, 16), use(2, 6, 20))).hasSize(1);
        assertThat(judge(List.of(7L), use(1, 0, 14), use(2, 6, 20))).hasSize(1);
    }
}
