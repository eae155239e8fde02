// SPDX-License-Identifier: Apache-2.0
package dev.interlock.idempotency;

import dev.interlock.NotExecutedException;
import dev.interlock.OutcomeUnknownException;
import dev.interlock.internal.Await;
import dev.interlock.internal.Text;
import java.util.Objects;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One call, from taking the key to its result.
 *
 * <pre>
 *  BEGIN ── taken, done or other work ──────────────────────────▶ result
 *    │ └─── failed, or cancelled meanwhile ── release ──────────▶ failure
 *  WORK, renewing ── throws ── release ─────────────────────────▶ failure
 *    │
 *  FINISH ── stored ────────────────────────────────────────────▶ Completed
 *      ├──── another has the key ───────────────────────────────▶ Superseded
 *      └──── no clear answer ── pause ──▶ FINISH, until a lease has passed ▶ failure
 * </pre>
 */
final class LeasedRun<T> extends CompletableFuture<RunResult<T>> {
    private static final Logger log = LoggerFactory.getLogger(LeasedRun.class);
    private static final int RENEWALS_PER_LEASE = 3;
    private static final long FINISH_PAUSE_MILLIS = 50;

    private final IdempotencyCalls<T> calls;
    private final IdempotencyCalls.Claim claim;
    private final Supplier<? extends CompletionStage<T>> work;
    private final Executor executor;
    private final byte[] owner = Text.token();
    /** Set by who decides first: the work begins, or it never will. */
    private final AtomicBoolean decided = new AtomicBoolean();

    private volatile boolean renewing = true;
    private boolean maybeStored;

    LeasedRun(
            IdempotencyCalls<T> calls,
            IdempotencyCalls.Claim claim,
            Supplier<? extends CompletionStage<T>> work,
            Executor executor) {
        this.calls = calls;
        this.claim = claim;
        this.work = work;
        this.executor = executor;
    }

    LeasedRun<T> start() {
        calls.begin(claim, owner).whenComplete((refusal, error) -> {
            if (error != null) {
                notBegun(Await.cause(error));
            } else if (refusal.isPresent()) {
                complete(refusal.get());
            } else {
                begun();
            }
        });
        return this;
    }

    private void notBegun(Throwable cause) {
        if (cause instanceof OutcomeUnknownException) {
            // Nobody waits for it: if it does not arrive, the lease ends all the same.
            calls.release(claim, owner);
        }
        completeExceptionally(cause);
    }

    private void begun() {
        renewLater();
        whenComplete((result, error) -> {
            // Whoever completes it before the work begins has cancelled it, or has set it a time-out.
            if (decided.compareAndSet(false, true)) {
                giveBack(error != null ? error : new CancellationException());
            }
        });
        try {
            executor.execute(this::work);
        } catch (RuntimeException e) {
            if (decided.compareAndSet(false, true)) {
                giveBack(e);
            }
        }
    }

    private void work() {
        if (!decided.compareAndSet(false, true)) {
            return;
        }
        CompletionStage<T> working;
        try {
            working = Objects.requireNonNull(work.get(), "the work gave no stage");
        } catch (RuntimeException | Error e) {
            giveBack(e);
            return;
        }
        working.whenComplete((response, error) -> {
            if (error == null) {
                worked(response);
            } else {
                giveBack(Await.cause(error));
            }
        });
    }

    private void worked(T response) {
        byte[] bytes;
        try {
            bytes = calls.encode(response);
        } catch (RuntimeException | Error e) {
            giveBack(e);
            return;
        }
        finish(response, bytes, System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(calls.leaseMillis()));
    }

    private void finish(T response, byte[] bytes, long deadlineNanos) {
        calls.finish(claim, owner, bytes).whenComplete((stored, error) -> {
            if (error == null) {
                renewing = false;
                complete(stored ? new RunResult.Completed<>(response) : new RunResult.Superseded<>(response));
                return;
            }
            Throwable cause = Await.cause(error);
            maybeStored |= cause instanceof OutcomeUnknownException;
            boolean clear = !(cause instanceof OutcomeUnknownException || cause instanceof NotExecutedException);
            if (clear
                    || System.nanoTime() - deadlineNanos >= 0
                    || !later(() -> finish(response, bytes, deadlineNanos))) {
                notStored(cause);
            }
        });
    }

    private boolean later(Runnable next) {
        try {
            calls.timer().newTimeout(ignored -> next.run(), FINISH_PAUSE_MILLIS, TimeUnit.MILLISECONDS);
            return true;
        } catch (IllegalStateException e) {
            return false; // closed
        }
    }

    private void notStored(Throwable cause) {
        renewing = false;
        boolean unknown = maybeStored && cause instanceof NotExecutedException;
        completeExceptionally(
                unknown
                        ? new OutcomeUnknownException(
                                "the work was done; its response may be stored or not: call again with the same key",
                                cause)
                        : cause);
    }

    /** Lets the next call do the work, as soon as may be: otherwise it waits for the end of the lease. */
    private void giveBack(Throwable reason) {
        renewing = false;
        calls.release(claim, owner).whenComplete((reply, error) -> {
            if (error != null) {
                reason.addSuppressed(Await.cause(error));
            }
            completeExceptionally(reason);
        });
    }

    private void renewLater() {
        try {
            calls.timer()
                    .newTimeout(ignored -> renew(), calls.leaseMillis() / RENEWALS_PER_LEASE, TimeUnit.MILLISECONDS);
        } catch (IllegalStateException e) {
            log.debug("closed while work was in progress: its lease is not renewed any more");
        }
    }

    private void renew() {
        if (!renewing) {
            return;
        }
        calls.renew(claim, owner).whenComplete((held, error) -> {
            if (error != null) {
                log.warn("a lease of idempotent work could not be renewed and will be tried again", error);
            } else if (!held) {
                return;
            }
            renewLater();
        });
    }
}
