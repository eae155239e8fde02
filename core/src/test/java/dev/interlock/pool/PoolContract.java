// SPDX-License-Identifier: Apache-2.0
package dev.interlock.pool;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.interlock.Interlock;
import dev.interlock.Topology;
import dev.interlock.pool.IssueResult.AlreadyIssued;
import dev.interlock.pool.IssueResult.Issued;
import dev.interlock.pool.IssueResult.NotOpen;
import dev.interlock.pool.IssueResult.Replayed;
import dev.interlock.pool.IssueResult.SoldOut;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** What every pool promises, in all three views; the subclasses say on which topology. */
abstract class PoolContract extends PoolFixture {
    PoolContract(Topology topology) {
        super(topology);
    }

    /** Ways to call the same operation. */
    enum View {
        BLOCKING,
        ASYNC,
        REACTIVE;

        IssueResult issue(Pool pool, String user, String request) {
            return switch (this) {
                case BLOCKING -> pool.issue(user, request);
                case ASYNC ->
                    pool.async().issue(user, request).toCompletableFuture().join();
                case REACTIVE -> pool.reactive().issue(user, request).block();
            };
        }
    }

    @ParameterizedTest
    @EnumSource(View.class)
    void theLastUnitIsIssuedWithZeroLeftAndOnlyTheNextIsSoldOut(View view) {
        Pool pool = poolOf(2);
        assertThat(view.issue(pool, "a", "r1")).isEqualTo(new Issued(1, 1));
        assertThat(view.issue(pool, "b", "r2")).isEqualTo(new Issued(2, 0));
        assertThat(view.issue(pool, "c", "r3")).isEqualTo(new SoldOut());
    }

    @ParameterizedTest
    @EnumSource(View.class)
    void aWinnerWhoAsksAgainHearsHisSequenceAlsoWhenThePoolIsEmpty(View view) {
        Pool pool = poolOf(1);
        assertThat(view.issue(pool, "winner", "r1")).isEqualTo(new Issued(1, 0));
        assertThat(view.issue(pool, "loser", "r2")).isEqualTo(new SoldOut());
        assertThat(view.issue(pool, "winner", "r1")).isEqualTo(new Replayed(1));
        assertThat(view.issue(pool, "winner", "another")).isEqualTo(new AlreadyIssued(1));
    }

    @ParameterizedTest
    @EnumSource(View.class)
    void nothingIsIssuedBeforeItOpensOrAfterItCloses(View view) {
        Instant opens = Instant.now().plus(Duration.ofHours(1)).truncatedTo(ChronoUnit.MICROS);
        Pool early = created(PoolConfig.of(5).open(opens, null));
        Pool late = created(PoolConfig.of(5).open(null, Instant.now().minusSeconds(1)));
        assertThat(view.issue(early, "a", "r")).isEqualTo(new NotOpen(opens));
        assertThat(view.issue(late, "a", "r")).isEqualTo(new IssueResult.Closed());
        assertThat(view.issue(interlock.pool(Topology.name("none")), "a", "r"))
                .isEqualTo(new IssueResult.UnknownPool());
    }

    @ParameterizedTest
    @EnumSource(View.class)
    void badIdsAreRefusedBeforeAnythingIsSent(View view) {
        Pool pool = poolOf(1);
        for (String bad : new String[] {"", " a", "a\n", "a\u0000b", "\uD800", "x".repeat(513), "a\u202Eb"}) {
            assertThatThrownBy(() -> view.issue(pool, bad, "r"))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("userId");
        }
        assertThatThrownBy(() -> view.issue(pool, "a", "r".repeat(129))).hasMessageContaining("requestId");
        assertThat(pool.state().orElseThrow().sequence()).isZero();
    }

    @Test
    void tenUnitsAndAHundredCallsOfWhichHalfAreDuplicatesIssueExactlyTen() {
        Pool pool = poolOf(10);
        List<Integer> calls =
                new ArrayList<>(IntStream.range(0, 100).mapToObj(i -> i / 2).toList());
        Collections.shuffle(calls, new Random(7));
        List<IssueResult> results = calls.stream()
                .map(user -> pool.async().issue("user" + user, "request" + user).toCompletableFuture())
                .toList()
                .stream()
                .map(CompletableFuture::join)
                .toList();
        assertThat(results).filteredOn(Issued.class::isInstance).hasSize(10);
        assertThat(results)
                .filteredOn(Issued.class::isInstance)
                .extracting(result -> ((Issued) result).sequence())
                .containsExactlyInAnyOrderElementsOf(
                        LongStream.rangeClosed(1, 10).boxed().toList());
        assertThat(pool.state().orElseThrow()).isEqualTo(new PoolState(1, 10, 0, 0, 10, false));
    }

    @Test
    void aUserGetsAsManyUnitsAsTheLimitAllows() {
        Pool pool = created(PoolConfig.of(10).withLimitPerUser(2));
        assertThat(pool.issue("u", "r1")).isEqualTo(new Issued(1, 9));
        assertThat(pool.issue("u", "r2")).isEqualTo(new Issued(2, 8));
        assertThat(pool.issue("u", "r3")).isEqualTo(new AlreadyIssued(2));
        assertThat(pool.issue("u", "r1")).isEqualTo(new Replayed(1));
    }

    @Test
    void oneBatchMayHoldTheSameUserAndTheSameRequestTwice() {
        Pool pool = created(PoolConfig.of(100).withLimitPerUser(2));
        List<CompletableFuture<IssueResult>> calls = new ArrayList<>();
        for (int i = 0; i < 40; i++) {
            calls.add(pool.async().issue("u" + i % 2, "r" + i % 8).toCompletableFuture());
        }
        List<IssueResult> results = calls.stream().map(CompletableFuture::join).toList();
        assertThat(results).filteredOn(Issued.class::isInstance).hasSize(4);
        assertThat(results).filteredOn(Replayed.class::isInstance).hasSize(16);
        assertThat(results).filteredOn(AlreadyIssued.class::isInstance).hasSize(20);
        assertThat(pool.state().orElseThrow()).isEqualTo(new PoolState(1, 4, 96, 0, 2, false));
    }

    @Test
    void aSecondCreationChangesNothing() {
        Pool pool = poolOf(3);
        pool.issue("a", "r");
        assertThat(pool.create(PoolConfig.of(1000)))
                .isEqualTo(new CreateResult.Exists(new PoolState(1, 1, 2, 0, 1, false)));
    }

    @Test
    void aRestockReachesANodeThatAnswersSoldOutByItself() {
        Pool pool = poolOf(1);
        pool.issue("winner", "r");
        // Until the node has its short-cut, and some more.
        for (int i = 0; i < 2000; i++) {
            assertThat(pool.issue("loser" + i, "r")).isEqualTo(new SoldOut());
        }
        assertThat(pool.issue("winner", "r")).isEqualTo(new Replayed(1));
        try (Interlock other = Topology.connect(server)) {
            assertThat(other.pool(((BlockingPool) pool).name()).control().adjust(new Adjustment(1, 1, 1, "restock")))
                    .isInstanceOf(AdjustResult.Adjusted.class);
        }
        await().atMost(Duration.ofSeconds(2))
                .untilAsserted(() -> assertThat(pool.issue("late", "r")).isInstanceOfAny(Issued.class, Replayed.class));
    }
}
