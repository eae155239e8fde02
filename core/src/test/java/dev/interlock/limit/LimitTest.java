// SPDX-License-Identifier: Apache-2.0
package dev.interlock.limit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.interlock.internal.Keys;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.BiFunction;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

class LimitTest {
    private static final Duration SECOND = Duration.ofSeconds(1);

    static Stream<BiFunction<Long, Duration, Limit>> kinds() {
        return Stream.of(Limit::slidingWindow, Limit::gcra, Limit::slidingCounter, Limit::fixedWindow);
    }

    @ParameterizedTest
    @MethodSource("kinds")
    void refusesPermitsAndPeriodsOutOfRange(BiFunction<Long, Duration, Limit> kind) {
        for (long permits : new long[] {0, -1, Long.MIN_VALUE, Long.MAX_VALUE, 1_000_000_000_001L}) {
            assertThatIllegalArgumentException()
                    .isThrownBy(() -> kind.apply(permits, SECOND))
                    .withMessageContaining("permits");
        }
        List<Duration> bad = List.of(
                Duration.ZERO,
                Duration.ofNanos(1),
                Duration.ofNanos(-1),
                Duration.ofSeconds(Long.MAX_VALUE),
                Duration.ofDays(367),
                Duration.ofNanos(1_000_001));
        for (Duration period : bad) {
            assertThatIllegalArgumentException()
                    .isThrownBy(() -> kind.apply(1L, period))
                    .withMessageContaining("period");
        }
        assertThatIllegalArgumentException().isThrownBy(() -> kind.apply(1L, null));
        assertThat(kind.apply(1L, Duration.ofMillis(1)).permits()).isEqualTo(1);
    }

    @ParameterizedTest
    @ValueSource(longs = {0, -1, 1_000_000_000_001L})
    void refusesABurstOutOfRange(long burst) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> Limit.gcra(1, SECOND).burst(burst))
                .withMessageContaining("burst");
    }

    @Test
    void buildsTheRatesThatAreExactAndRefusesTheOthersWithTheReason() {
        Limit.gcra(1, Duration.ofDays(1));
        Limit.gcra(3, SECOND).burst(1);
        Limit.gcra(7, Duration.ofMinutes(11)).burst(300_000);
        Limit.gcra(1_000_000_000L, SECOND).burst(1_000_000);
        Limit.gcra(100_000_000_000L, SECOND);
        assertThatIllegalArgumentException()
                .isThrownBy(() -> Limit.gcra(1L << 40, SECOND))
                .withMessageContaining("permits");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> Limit.gcra(1_000_000_000_000L, SECOND))
                .withMessageContaining("10^11 in a second");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> Limit.gcra(999_999_999_989L, Duration.ofDays(1)))
                .withMessageContaining("2^53");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> Limit.gcra(1, Duration.ofDays(1)).burst(367))
                .withMessageContaining("must be back within");
        assertThatIllegalArgumentException().isThrownBy(() -> Limit.slidingWindow(100_001, SECOND));
        assertThatIllegalArgumentException()
                .isThrownBy(() -> Limit.slidingCounter(1, SECOND).buckets(0));
        assertThatIllegalArgumentException()
                .isThrownBy(() -> Limit.slidingCounter(1, SECOND).buckets(101));
    }

    @Test
    void refusesOptionsOutOfRange() {
        RateLimiterOptions options = RateLimiterOptions.DEFAULT;
        assertThatIllegalArgumentException().isThrownBy(() -> options.local(0));
        assertThatIllegalArgumentException().isThrownBy(() -> options.withDeadline(Duration.ofMillis(9)));
        assertThatIllegalArgumentException().isThrownBy(() -> options.withDeadline(Duration.ofSeconds(61)));
        assertThatIllegalArgumentException().isThrownBy(() -> options.withDenialCacheSize(-1));
    }

    @Test
    void refusesNoLimitAndMoreThanEight() {
        Limit[] nine = Stream.generate(() -> Limit.gcra(1, SECOND)).limit(9).toArray(Limit[]::new);
        assertThatIllegalArgumentException().isThrownBy(() -> spec("a"));
        assertThatIllegalArgumentException().isThrownBy(() -> spec("a", nine));
        assertThat(spec("a", Stream.of(nine).limit(8).toArray(Limit[]::new)).limits)
                .hasSize(8);
    }

    private static LimiterSpec spec(String name, Limit... limits) {
        return new LimiterSpec(new Keys("test"), name, RateLimiterOptions.DEFAULT, limits);
    }

    /** R14: colons, braces and blanks in names never make two limiters or users share a count. */
    @Test
    void everyLimiterAndUserHasKeysOfItsOwnInOneSlot() {
        Set<String> keys = new TreeSet<>();
        List<String> texts = List.of("a", "a:b", "b", "{a}", "}{", "a b", "%7B", "a%3Ab", "b:g", "*");
        for (String limiter : texts) {
            for (String user : texts) {
                for (byte[] key : spec(limiter, Limit.gcra(1, SECOND), Limit.gcra(2, SECOND))
                        .states(user)) {
                    keys.add(new String(key, java.nio.charset.StandardCharsets.UTF_8));
                }
            }
        }
        assertThat(keys)
                .hasSize(2 * texts.size() * texts.size())
                .allSatisfy(key -> assertThat(key).matches("test:limit:\\{[^{}]+}:g2?"));
    }

    @Test
    void aLimitThatIsSharedByTooManyNodesGrantsNothingLocally() {
        LocalShare share = new LocalShare(List.of(Limit.slidingWindow(2, SECOND)), 3);
        assertThat(share.take("u", 1, 0)).isFalse();
    }

    @ParameterizedTest
    @MethodSource("kinds")
    void aLocalShareNeverGrantsMoreThanItsPartInAnyPeriod(BiFunction<Long, Duration, Limit> kind) {
        LocalShare share = new LocalShare(List.of(kind.apply(30L, SECOND)), 3);
        List<Oracle.Grant> grants = new java.util.ArrayList<>();
        for (long micros = 1; micros < 5_000_000; micros += 1_777) {
            if (share.take("u", 1, micros * 1000)) {
                grants.add(new Oracle.Grant(micros, 1));
            }
        }
        long bound = kind.apply(30L, SECOND) instanceof Limit.Gcra ? 20 : 10;
        assertThat(WorstWindow.of(grants, 1_000_000)).isBetween(5L, bound);
        assertThat(grants.size()).isGreaterThan(25);
    }

    @Test
    void readsTheNumbersOfAnAnswerAndNothingElse() {
        Answer answer = new Answer("1790000000000000 -1 0 42".getBytes());
        assertThat(List.of(answer.next(), answer.next(), answer.next(), answer.next()))
                .containsExactly(1_790_000_000_000_000L, -1L, 0L, 42L);
        org.assertj.core.api.Assertions.assertThatThrownBy(() -> new Answer("1e+14".getBytes()).next())
                .isInstanceOf(IllegalStateException.class);
    }
}
