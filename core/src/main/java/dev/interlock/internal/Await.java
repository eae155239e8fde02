// SPDX-License-Identifier: Apache-2.0
package dev.interlock.internal;

import dev.interlock.OutcomeUnknownException;
import io.netty.util.concurrent.FastThreadLocalThread;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutionException;
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
        try {
            return start.get().toCompletableFuture().get();
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

    private static void refuseIoThread(String operation) {
        if (Thread.currentThread() instanceof FastThreadLocalThread || Schedulers.isInNonBlockingThread()) {
            throw new IllegalStateException(operation + " would block the I/O thread "
                    + Thread.currentThread().getName() + ": use async() or reactive() there");
        }
    }

    /** Our own exceptions as they are, with the caller's stack added; anything else wrapped. */
    private static RuntimeException rethrowable(String operation, ExecutionException e) {
        Throwable cause = Failures.unwrap(e);
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
