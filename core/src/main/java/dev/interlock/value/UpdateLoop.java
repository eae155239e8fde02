// SPDX-License-Identifier: Apache-2.0
package dev.interlock.value;

import dev.interlock.NotExecutedException;
import dev.interlock.OutcomeUnknownException;
import dev.interlock.internal.Await;
import dev.interlock.internal.Text;
import io.netty.util.Timer;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * One update, from the first reading to its end. An attempt whose outcome is unknown is sent again under its id until that is
 * known, because another attempt might change the value twice.
 *
 * <pre>
 *  READ ──▶ COMPUTE ──▶ SEND ── done ───────────────────────────▶ DONE
 *                        │ ├─── another was faster ── pause ───▶ COMPUTE
 *                        │ └─── outcome unknown ───── pause ───▶ SEND
 *                        └───── any other failure ─────────────▶ FAILED
 *  budget spent: outcome unknown ▶ UNKNOWN, else ▶ NOT EXECUTED
 * </pre>
 *
 * <p>Its fields are used by one thread after the other.
 *
 * @param <S> what was seen
 * @param <R> result
 */
final class UpdateLoop<S, R> extends CompletableFuture<@Nullable R> {
    private static final long FIRST_PAUSE_MILLIS = 2;
    private static final long MAX_PAUSE_MILLIS = 64;

    private final Timer timer;
    private final String what;
    private final long budgetMillis;
    private final Executor executor;
    private final Function<S, Attempt<S, R>> compute;
    private final long startedNanos = System.nanoTime();
    private long pauseMillis = FIRST_PAUSE_MILLIS;
    private int conflicts;
    private @Nullable OutcomeUnknownException unknown;

    UpdateLoop(Timer timer, String what, long budgetMillis, Executor executor, Function<S, Attempt<S, R>> compute) {
        this.timer = timer;
        this.what = what;
        this.budgetMillis = budgetMillis;
        this.executor = executor;
        this.compute = compute;
    }

    /** One computed change, to be sent under an id, and under the same one again. */
    interface Attempt<S, R> {
        CompletionStage<Step<S, R>> send(byte[] id);
    }

    /** What an attempt came to. */
    sealed interface Step<S, R> {}

    /** It took effect, or there was nothing to do. */
    record Done<S, R>(@Nullable R result) implements Step<S, R> {}

    /** Another was faster and left this. */
    record Changed<S, R>(S seen) implements Step<S, R> {}

    UpdateLoop<S, R> start(CompletionStage<S> reading) {
        reading.whenComplete((seen, error) -> {
            if (error == null) {
                computeFrom(seen);
            } else {
                completeExceptionally(unread(Await.cause(error)));
            }
        });
        return this;
    }

    /** Whatever became of the reading, nothing was changed. */
    private Throwable unread(Throwable error) {
        return error instanceof OutcomeUnknownException
                ? new NotExecutedException(what + " was not updated: it could not be read", error)
                : error;
    }

    private void computeFrom(S seen) {
        guarded(() -> executor.execute(() -> guarded(() -> {
            if (!isDone()) {
                send(compute.apply(seen), Text.token());
            }
        })));
    }

    private void send(Attempt<S, R> attempt, byte[] id) {
        attempt.send(id).whenComplete((step, error) -> {
            if (error != null) {
                failed(attempt, id, Await.cause(error));
            } else if (step instanceof Changed<S, R> changed) {
                conflicts++;
                unknown = null;
                later(() -> computeFrom(changed.seen()));
            } else if (step instanceof Done<S, R> done) {
                complete(done.result());
            }
        });
    }

    private void failed(Attempt<S, R> attempt, byte[] id, Throwable error) {
        if (error instanceof OutcomeUnknownException first) {
            unknown = first;
        }
        // Once an attempt may have run, a later "not executed" says nothing about the first time.
        if (unknown != null && (error == unknown || error instanceof NotExecutedException)) {
            later(() -> send(attempt, id));
        } else {
            completeExceptionally(error);
        }
    }

    private void later(Runnable next) {
        if (isDone()) {
            return;
        }
        if (System.nanoTime() - startedNanos >= TimeUnit.MILLISECONDS.toNanos(budgetMillis)) {
            completeExceptionally(unknown != null ? unknown : outrun());
            return;
        }
        long pause = ThreadLocalRandom.current().nextLong(pauseMillis + 1);
        pauseMillis = Math.min(MAX_PAUSE_MILLIS, pauseMillis * 2);
        guarded(() -> timer.newTimeout(ignored -> guarded(next), pause, TimeUnit.MILLISECONDS));
    }

    private NotExecutedException outrun() {
        return new NotExecutedException(
                what + " was not updated: others changed it " + conflicts + " times within " + budgetMillis
                        + " ms; give it more time, or have fewer callers update one value",
                null);
    }

    private void guarded(Runnable step) {
        try {
            step.run();
        } catch (RuntimeException | Error e) {
            completeExceptionally(e);
        }
    }
}
