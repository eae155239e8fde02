// SPDX-License-Identifier: Apache-2.0
package dev.interlock.internal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.interlock.BackPressureException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class CombinerTest {
    private final List<List<Integer>> sent = new ArrayList<>();
    private final List<CompletableFuture<List<Integer>>> replies = new ArrayList<>();
    private final Combiner<Integer, Integer> combiner = new Combiner<>(2, 4, 10, this::send);

    private CompletableFuture<List<Integer>> send(List<Integer> batch) {
        sent.add(batch);
        replies.add(new CompletableFuture<>());
        return replies.get(replies.size() - 1);
    }

    private void answer(int call) {
        replies.get(call).complete(sent.get(call).stream().map(i -> i * 10).toList());
    }

    @Test
    void anIdleLaneSendsAtOnceAndBusyLanesCollect() {
        List<CompletableFuture<Integer>> answers =
                IntStream.range(0, 8).mapToObj(combiner::submit).toList();
        assertThat(sent).containsExactly(List.of(0), List.of(1));
        answer(0);
        assertThat(answers.get(0)).isCompletedWithValue(0);
        assertThat(sent).containsExactly(List.of(0), List.of(1), List.of(2, 3, 4, 5));
        answer(2);
        answer(1);
        answer(3);
        assertThat(sent.get(3)).containsExactly(6, 7);
        assertThat(answers.stream().map(CompletableFuture::join)).containsExactly(0, 10, 20, 30, 40, 50, 60, 70);
    }

    @Test
    void aCancelledRequestIsNotSent() {
        combiner.submit(0);
        combiner.submit(1);
        CompletableFuture<Integer> cancelled = combiner.submit(2);
        CompletableFuture<Integer> kept = combiner.submit(3);
        cancelled.cancel(false);
        answer(0);
        assertThat(sent.get(2)).containsExactly(3);
        answer(2);
        assertThat(kept).isCompletedWithValue(30);
    }

    @Test
    void beyondTheBoundARequestIsRefusedAndTheBoundComesBack() {
        IntStream.range(0, 12).forEach(combiner::submit);
        assertThatThrownBy(() -> combiner.submit(12).join()).hasCauseInstanceOf(BackPressureException.class);
        answer(0);
        assertThat(combiner.submit(13)).isNotCompletedExceptionally();
    }

    @Test
    void aFailedCallFailsItsOwnRequestsOnlyAndTheLaneGoesOn() {
        CompletableFuture<Integer> first = combiner.submit(0);
        CompletableFuture<Integer> second = combiner.submit(1);
        CompletableFuture<Integer> third = combiner.submit(2);
        replies.get(0).completeExceptionally(new IllegalStateException("lost"));
        assertThatThrownBy(first::join).hasRootCauseMessage("lost");
        answer(1);
        answer(2);
        assertThat(second).isCompletedWithValue(10);
        assertThat(third).isCompletedWithValue(20);
    }

    @Test
    void aCallThatThrowsFailsItsRequestsAndTheLaneGoesOn() {
        Combiner<Integer, Integer> throwing = new Combiner<>(1, 4, 10, batch -> {
            if (batch.contains(0)) {
                throw new IllegalArgumentException("cannot be sent");
            }
            return CompletableFuture.completedFuture(batch);
        });
        assertThatThrownBy(() -> throwing.submit(0).join()).hasRootCauseMessage("cannot be sent");
        assertThat(throwing.submit(1)).isCompletedWithValue(1);
    }

    @Test
    void manyThreadsGetEachTheirOwnAnswer() {
        Combiner<Integer, Integer> concurrent = new Combiner<>(
                3,
                16,
                1_000_000,
                batch -> CompletableFuture.supplyAsync(
                        () -> batch.stream().map(i -> i * 10).toList()));
        ConcurrentLinkedQueue<CompletableFuture<?>> checks = new ConcurrentLinkedQueue<>();
        IntStream.range(0, 100_000)
                .parallel()
                .forEach(i -> checks.add(concurrent
                        .submit(i)
                        .thenAccept(answer -> assertThat(answer).isEqualTo(i * 10))));
        assertThat(CompletableFuture.allOf(checks.toArray(CompletableFuture[]::new)))
                .succeedsWithin(Duration.ofSeconds(30));
        assertThat(checks).hasSize(100_000);
    }

    @Test
    void requestsLikeTheOneBeforeFillALargerBatch() {
        Combiner<Integer, Integer> runs = new Combiner<>(
                new Combiner.Batches<>(1, 8, 2, (one, next) -> one.equals(next)), 100, this::send, answer -> answer);
        List.of(0, 7, 7, 7, 7, 7, 7, 7, 7, 7, 8, 9, 9).forEach(runs::submit);
        answer(0);
        assertThat(sent.get(1)).containsExactly(7, 7, 7, 7, 7, 7, 7, 7);
        answer(1);
        assertThat(sent.get(2)).containsExactly(7, 8);
        answer(2);
        assertThat(sent.get(3)).containsExactly(9, 9);
    }

    @Test
    void manyAreNotSplitIntoCallsOfAFewAndNoneIsLeftBehind() {
        Combiner<Integer, Integer> lanes = new Combiner<>(2, 100, 100, this::send);
        List<CompletableFuture<Integer>> answers =
                IntStream.range(0, 20).mapToObj(lanes::submit).toList();
        assertThat(sent.stream().map(List::size)).containsExactly(1, 1);
        answer(0);
        assertThat(sent.get(2)).hasSize(18);
        answer(1);
        lanes.submit(20);
        assertThat(sent).hasSize(3);
        answer(2);
        assertThat(sent.get(3)).containsExactly(20);
        answer(3);
        assertThat(answers.stream().map(CompletableFuture::join))
                .containsExactlyElementsOf(
                        IntStream.range(0, 20).map(i -> i * 10).boxed().toList());
    }
}
