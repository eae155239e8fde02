// SPDX-License-Identifier: Apache-2.0
package dev.interlock.flashsale.rush;

import dev.interlock.InterlockException;
import dev.interlock.NotExecutedException;
import dev.interlock.OutcomeUnknownException;
import dev.interlock.pool.IssueResult;
import dev.interlock.pool.Pool;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;

/** One request of a user, asked again with the same id while its outcome is not known. */
final class Request implements BiConsumer<@Nullable IssueResult, @Nullable Throwable> {
    private static final int MAX_TRIES = 8;
    private static final Executor LATER = CompletableFuture.delayedExecutor(100, TimeUnit.MILLISECONDS);

    private final Pool.Async pool;
    private final Client client;
    private final Workload.Call call;
    private final long startNanos = System.nanoTime();
    private int tries;
    private @Nullable Throwable error;

    /** Told the answer, once. */
    @FunctionalInterface
    interface Client {
        /** The sequence is 0 if there is none. */
        void answered(Request request, Answer answer, long sequence);
    }

    Request(Pool.Async pool, Client client, Workload.Call call) {
        this.pool = pool;
        this.client = client;
        this.call = call;
    }

    int user() {
        return call.user();
    }

    long elapsedNanos() {
        return System.nanoTime() - startNanos;
    }

    /** Why there is no sensible answer. */
    @Nullable
    Throwable error() {
        return error;
    }

    void send() {
        tries++;
        pool.issue(Workload.userId(call.user()), call.id()).whenComplete(this);
    }

    @Override
    public void accept(@Nullable IssueResult result, @Nullable Throwable failure) {
        if (result instanceof IssueResult.SoldOut) {
            client.answered(this, Answer.SOLD_OUT, 0);
        } else if (result instanceof IssueResult.Issued issued) {
            client.answered(this, Answer.ISSUED, issued.sequence());
        } else if (result instanceof IssueResult.AlreadyIssued already) {
            client.answered(this, Answer.ALREADY_ISSUED, already.sequence());
        } else if (result instanceof IssueResult.Replayed replayed) {
            client.answered(this, Answer.REPLAYED, replayed.sequence());
        } else {
            undecided(result, failure);
        }
    }

    private void undecided(@Nullable IssueResult result, @Nullable Throwable failure) {
        Throwable cause =
                failure instanceof CompletionException && failure.getCause() != null ? failure.getCause() : failure;
        boolean again = result instanceof IssueResult.Rebuilding
                || cause instanceof OutcomeUnknownException
                || cause instanceof NotExecutedException;
        error = cause == null ? new InterlockException("the pool answered " + result, null) : cause;
        if (!again) {
            client.answered(this, Answer.UNEXPECTED, 0);
        } else if (tries < MAX_TRIES) {
            LATER.execute(this::send);
        } else {
            client.answered(this, Answer.UNKNOWN, 0);
        }
    }
}
