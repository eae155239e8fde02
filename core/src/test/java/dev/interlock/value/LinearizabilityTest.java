// SPDX-License-Identifier: Apache-2.0
package dev.interlock.value;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.interlock.value.Linearizability.Call;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** The checker must reject what is wrong, accept what is right, and not pass what it cannot decide. */
class LinearizabilityTest {
    private static final Optional<String> NONE = Optional.empty();
    private static final Optional<String> A = Optional.of("a");
    private static final Optional<String> B = Optional.of("b");
    private static final Optional<String> C = Optional.of("c");

    private final RegisterHistory history = new RegisterHistory();

    @Test
    void acceptsCallsOneAfterTheOther() {
        history.read(0, 1, NONE);
        history.swapped(2, 3, NONE, A);
        history.swapped(4, 5, A, B);
        history.refused(6, 7, A, B);
        history.swapped(8, 9, B, NONE);
        history.refused(10, 11, B, NONE);
        assertThat(history.isLinearizable()).isTrue();
    }

    @Test
    void acceptsOverlappingCallsInTheOnlyOrderThatFits() {
        history.swapped(0, 10, B, C);
        history.swapped(1, 9, A, B);
        history.swapped(2, 8, NONE, A);
        history.read(3, 7, B);
        history.read(4, 20, NONE);
        assertThat(history.isLinearizable()).isTrue();
    }

    @Test
    void acceptsAnUnknownSwapThatHappenedLateAndOneThatNeverDid() {
        history.unknown(0, NONE, A);
        history.unknown(0, NONE, C);
        history.read(1, 2, NONE);
        history.read(3, 4, A);
        history.swapped(5, 6, A, B);
        assertThat(history.isLinearizable()).isTrue();
    }

    @Test
    void rejectsAStaleRead() {
        history.swapped(0, 1, NONE, A);
        history.swapped(2, 3, A, B);
        history.read(4, 5, A);
        assertThat(history.isLinearizable()).isFalse();
    }

    @Test
    void rejectsTwoSwapsOfOneValue() {
        history.swapped(0, 1, NONE, A);
        history.swapped(2, 10, A, B);
        history.swapped(3, 9, A, C);
        assertThat(history.isLinearizable()).isFalse();
    }

    @Test
    void rejectsARefusedSwapThatTookEffect() {
        history.swapped(0, 1, NONE, A);
        history.refused(2, 5, A, B);
        history.read(6, 7, B);
        assertThat(history.isLinearizable()).isFalse();
    }

    @Test
    void rejectsAnAcknowledgedSwapThatIsLost() {
        history.swapped(0, 1, NONE, A);
        history.read(2, 3, NONE);
        assertThat(history.isLinearizable()).isFalse();
    }

    @Test
    void rejectsAValueThatNobodyWrote() {
        history.swapped(0, 1, NONE, A);
        history.read(0, 5, B);
        assertThat(history.isLinearizable()).isFalse();
    }

    @Test
    void rejectsReadsThatGoBackInTimeWithinOneOverlappingSwap() {
        history.swapped(0, 1, NONE, A);
        history.swapped(2, 20, A, B);
        history.read(3, 4, B);
        history.read(5, 6, A);
        assertThat(history.isLinearizable()).isFalse();
    }

    @Test
    void rejectsARefusalByTheExpectedValue() {
        history.swapped(0, 1, NONE, A);
        history.refused(2, 3, A, A);
        assertThat(history.isLinearizable()).isFalse();
    }

    @Test
    void rejectsAnUnknownSwapThatHappenedTwice() {
        history.unknown(0, NONE, A);
        history.read(1, 2, A);
        history.swapped(3, 4, A, NONE);
        history.read(5, 6, A);
        assertThat(history.isLinearizable()).isFalse();
    }

    @Test
    void rejectsAnUnknownSwapThatHappenedBeforeItBegan() {
        history.read(0, 1, A);
        history.unknown(2, NONE, A);
        assertThat(history.isLinearizable()).isFalse();
    }

    @Test
    void doesNotPassWhatItCannotDecideInTime() {
        List<Call<Integer>> calls = new ArrayList<>();
        for (int i = 0; i < 30; i++) {
            int own = i;
            calls.add(new Call<>("or " + i, 0, 1, state -> Optional.of(state | 1 << own)));
        }
        calls.add(new Call<>("impossible", 0, 1, state -> Optional.empty()));
        assertThatThrownBy(() -> Linearizability.holds(0, calls, 100_000))
                .isInstanceOf(Linearizability.BudgetExceeded.class);
    }

    @Test
    void decidesRandomHistoriesThatAreRightByConstructionAndRejectsOneChangedRead() {
        long seed = System.nanoTime();
        Random random = new Random(seed);
        for (int round = 0; round < 10; round++) {
            RegisterHistory right = new RegisterHistory();
            RegisterHistory wrong = new RegisterHistory();
            Optional<String> state = NONE;
            for (int moment = 0; moment < 400; moment++) {
                // Each call happens at a moment of its own, and spans up to 5 moments to both sides.
                long begin = moment * 10L - random.nextInt(50);
                long end = moment * 10L + random.nextInt(50);
                if (random.nextBoolean()) {
                    Optional<String> next = Optional.of("v" + moment);
                    right.swapped(begin, end, state, next);
                    wrong.swapped(begin, end, state, next);
                    state = next;
                } else {
                    right.read(begin, end, state);
                    wrong.read(begin, end, moment < 300 || moment > 320 ? state : Optional.of("v1"));
                }
            }
            assertThat(right.isLinearizable())
                    .as("seed %d round %d", seed, round)
                    .isTrue();
            assertThat(wrong.isLinearizable())
                    .as("seed %d round %d", seed, round)
                    .isFalse();
        }
    }
}
