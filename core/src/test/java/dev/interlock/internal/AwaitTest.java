// SPDX-License-Identifier: Apache-2.0
package dev.interlock.internal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.interlock.OutcomeUnknownException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;

/** Waiting for operations that call the user's code. */
class AwaitTest {
    private final AtomicReference<Executor> executor = new AtomicReference<>();
    private final AtomicReference<Thread> ranOn = new AtomicReference<>();

    @Test
    void tasksOfOtherThreadsRunOnTheWaitingOne() {
        String result = Await.onCaller(
                "test",
                caller -> CompletableFuture.runAsync(() -> {})
                        .thenApplyAsync(
                                done -> {
                                    ranOn.set(Thread.currentThread());
                                    return "done";
                                },
                                caller));
        assertThat(result).isEqualTo("done");
        assertThat(ranOn).hasValue(Thread.currentThread());
    }

    @Test
    void anInterruptedWaitCancelsTheOperationAndRunsNothingMore() {
        CompletableFuture<String> operation = new CompletableFuture<>();
        Thread.currentThread().interrupt();
        assertThatThrownBy(() -> Await.onCaller("test", caller -> {
                    executor.set(caller);
                    caller.execute(() -> ranOn.set(Thread.currentThread()));
                    return operation;
                }))
                .isInstanceOf(OutcomeUnknownException.class);
        assertThat(Thread.interrupted()).isTrue();
        assertThat(operation).isCancelled();
        assertThat(ranOn).hasNullValue();
        assertThatThrownBy(() -> executor.get().execute(() -> {})).isInstanceOf(RejectedExecutionException.class);
    }

    @Test
    void errorsReachTheCallerAsTheyAre() {
        AssertionError error = new AssertionError("mine");
        assertThatThrownBy(() -> Await.onCaller("test", caller -> CompletableFuture.failedFuture(error)))
                .isSameAs(error);
        assertThatThrownBy(() -> Await.get("test", () -> CompletableFuture.failedFuture(error)))
                .isSameAs(error);
    }
}
