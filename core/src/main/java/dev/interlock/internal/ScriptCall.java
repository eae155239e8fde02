// SPDX-License-Identifier: Apache-2.0
package dev.interlock.internal;

import dev.interlock.InterlockException;
import dev.interlock.InterlockListener.Outcome;
import dev.interlock.NotExecutedException;
import dev.interlock.OutcomeUnknownException;
import dev.interlock.RedisBusyException;
import dev.interlock.ScriptException;
import io.lettuce.core.RedisCommandExecutionException;
import io.netty.util.Timeout;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;

/**
 * One call of one script, from the first attempt to its end.
 *
 * <pre>
 *  SEND ── reply ─────────────────────────────────────────────▶ DONE
 *   │ ├─── node lacks the script ── load it there ──▶ SEND
 *   │ ├─── surely not executed, may pass ── wait ───▶ SEND
 *   │ ├─── reply lost ── safe to run twice ── wait ─▶ SEND      (else UNKNOWN)
 *   │ └─── any other answer ──────────────────────────────────▶ FAILED
 *   └───── deadline: sent at least once ▶ UNKNOWN, else ▶ NOT EXECUTED
 * </pre>
 */
final class ScriptCall extends CompletableFuture<@Nullable Object> {
    private static final int MAX_LOADS = 4;
    private static final long FIRST_DELAY_MILLIS = 2;
    private static final long MAX_DELAY_MILLIS = 64;

    private final ScriptRunner runner;
    private final LuaScript script;
    private final byte[][] keys;
    private final byte[][] args;
    private final int slot;
    private final long timeoutMillis;
    private final long startedNanos = System.nanoTime();
    private final Timeout deadline;
    private final AtomicBoolean ended = new AtomicBoolean();

    private volatile @Nullable RedisCall attempt;
    private volatile boolean maybeExecuted;
    private volatile @Nullable Throwable lastFailure;
    private int loads;
    private long delayMillis = FIRST_DELAY_MILLIS;

    ScriptCall(ScriptRunner runner, LuaScript script, byte[][] keys, byte[][] args, long timeoutMillis) {
        this.runner = runner;
        this.script = script;
        this.keys = keys;
        this.args = args;
        this.slot = runner.slotOf(script, keys);
        this.timeoutMillis = timeoutMillis;
        this.deadline = runner.timer().newTimeout(ignored -> expire(), timeoutMillis, TimeUnit.MILLISECONDS);
    }

    /** Sends the script; called once by the runner and again by the call itself. */
    void send() {
        if (isDone()) {
            return;
        }
        RedisCall call = runner.form().call(script, keys, args);
        attempt = call;
        call.whenComplete((reply, error) -> {
            if (error == null) {
                finish(reply);
            } else {
                failed(call, Failures.unwrap(error));
            }
        });
        try {
            runner.link().dispatch(call);
        } catch (RuntimeException e) {
            call.completeExceptionally(e);
        }
    }

    private void failed(RedisCall call, Throwable error) {
        if (isDone()) {
            return;
        }
        lastFailure = error;
        if (runner.form().missing(error) && loads++ < MAX_LOADS) {
            loadAndSend();
        } else if (error instanceof RedisCommandExecutionException && !Failures.transientRefusal(error)) {
            fail(Failures.translate(script, error));
        } else if (error instanceof RedisCommandExecutionException || !call.wasSent()) {
            sendLater();
        } else if (script.header().retrySafe()) {
            maybeExecuted = true;
            sendLater();
        } else {
            fail(unknown("the connection was lost before its reply arrived"));
        }
    }

    private void loadAndSend() {
        runner.listener().scriptReloaded(script.name());
        runner.load(script, slot, loads > 1).whenComplete((done, error) -> {
            Throwable failure = error == null ? null : Failures.unwrap(error);
            if (failure == null) {
                send();
            } else if (failure instanceof NotExecutedException lasting) {
                fail(lasting);
            } else {
                lastFailure = failure;
                sendLater();
            }
        });
    }

    private void sendLater() {
        runner.listener().scriptResent(script.name());
        long jittered = delayMillis / 2 + ThreadLocalRandom.current().nextLong(delayMillis);
        delayMillis = Math.min(MAX_DELAY_MILLIS, delayMillis * 2);
        try {
            runner.timer().newTimeout(ignored -> send(), jittered, TimeUnit.MILLISECONDS);
        } catch (IllegalStateException closed) {
            expire();
        }
    }

    private void expire() {
        RedisCall last = attempt;
        boolean unanswered = last != null && last.wasSent() && !last.isDone();
        if (maybeExecuted || unanswered) {
            fail(unknown("no reply arrived within " + timeoutMillis + " ms"));
        } else {
            fail(Failures.notSent("script " + script.name(), timeoutMillis, lastFailure));
        }
        if (last != null) {
            last.cancel(false);
        }
    }

    private OutcomeUnknownException unknown(String why) {
        return new OutcomeUnknownException(
                "script " + script.name() + ": " + why
                        + "; it may have taken effect: ask again with the same request id",
                lastFailure);
    }

    private void finish(@Nullable Object reply) {
        if (ended.compareAndSet(false, true)) {
            end(Outcome.DONE);
            complete(reply);
        }
    }

    private void fail(InterlockException failure) {
        if (ended.compareAndSet(false, true)) {
            end(outcome(failure));
            completeExceptionally(failure);
        }
    }

    /** The listener is told before the caller goes on, so that what it counts is never behind what the caller sees. */
    private void end(Outcome outcome) {
        deadline.cancel();
        runner.listener().scriptCompleted(script.name(), outcome, System.nanoTime() - startedNanos);
    }

    private static Outcome outcome(InterlockException failure) {
        if (failure instanceof OutcomeUnknownException) {
            return Outcome.UNKNOWN;
        }
        if (failure instanceof RedisBusyException) {
            return Outcome.BUSY;
        }
        return failure instanceof ScriptException ? Outcome.SCRIPT_ERROR : Outcome.NOT_EXECUTED;
    }
}
