// SPDX-License-Identifier: Apache-2.0
package dev.interlock.internal;

import dev.interlock.OutcomeUnknownException;
import io.netty.util.concurrent.FastThreadLocalThread;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executor;
import java.util.concurrent.Future;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import reactor.core.scheduler.Schedulers;

/** The one bridge from the async form of an operation to its blocking form. */
public final class Await {
    private Await() {}

    /**
     * Starts an operation and waits for it. Every operation ends by its own time-out, so this does too.
     *
     * @param operation its name, for messages
     * @param start starts it
     * @param <T> type of its result
     * @return its result
     * @throws IllegalStateException before it is started, on an I/O thread, which must never block
     * @throws OutcomeUnknownException if the thread is interrupted while waiting; its interrupt flag is set again
     */
    public static <T extends @Nullable Object> T get(String operation, Supplier<? extends CompletionStage<T>> start) {
        refuseIoThread(operation);
        return await(operation, () -> start.get().toCompletableFuture());
    }

    /**
     * As {@link #get(String, Supplier)}, for an operation that calls the user's code: that runs on the waiting thread, where
     * it may block and finds its transaction and context. If the wait is interrupted the operation's future is cancelled.
     *
     * @param operation its name, for messages
     * @param start starts it; what it gives to the executor runs on this thread, or is rejected once nobody waits any more
     * @param <T> type of its result
     * @return its result
     */
    public static <T extends @Nullable Object> T onCaller(
            String operation, Function<Executor, ? extends CompletionStage<T>> start) {
        refuseIoThread(operation);
        CallerThread caller = new CallerThread();
        return await(operation, () -> caller.runUntilDone(start.apply(caller).toCompletableFuture()));
    }

    private interface Start<T extends @Nullable Object> {
        Future<T> start() throws InterruptedException;
    }

    private static <T extends @Nullable Object> T await(String operation, Start<T> start) {
        try {
            return start.start().get();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new OutcomeUnknownException(
                    operation + " was interrupted while it waited; it may have taken effect: ask again with the same"
                            + " request id",
                    e);
        } catch (ExecutionException e) {
            throw rethrowable(operation, e);
        }
    }

    /**
     * The failure itself, without the wrappers of futures.
     *
     * @param error what a stage gave
     * @return what was thrown
     */
    public static Throwable cause(Throwable error) {
        return Failures.unwrap(error);
    }

    private static void refuseIoThread(String operation) {
        if (Thread.currentThread() instanceof FastThreadLocalThread || Schedulers.isInNonBlockingThread()) {
            throw new IllegalStateException(operation + " would block the I/O thread "
                    + Thread.currentThread().getName() + ": use async() or reactive() there");
        }
    }

    /** Our own exceptions as they are, with the caller's stack added; anything else wrapped. */
    private static RuntimeException rethrowable(String operation, ExecutionException e) {
        Throwable cause = Failures.unwrap(e);
        if (cause instanceof Error error) {
            throw error;
        }
        if (cause instanceof RuntimeException known) {
            known.addSuppressed(new CallSite(operation));
            return known;
        }
        return new dev.interlock.InterlockException(operation + " failed: " + cause.getMessage(), cause);
    }

    /** Where the blocking call was made; the exception itself was created on an I/O thread. */
    private static final class CallSite extends RuntimeException {
        private static final long serialVersionUID = 1L;

        CallSite(String operation) {
            super(operation + " was called here");
        }
    }
}
