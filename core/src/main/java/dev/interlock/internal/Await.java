// SPDX-License-Identifier: Apache-2.0
package dev.interlock.internal;

import dev.interlock.OutcomeUnknownException;
import io.netty.util.concurrent.FastThreadLocalThread;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executor;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Consumer;
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
     * Starts an operation and waits for it as {@link java.util.concurrent.locks.Lock#tryLock(long, TimeUnit)} does: an
     * interrupt before it ends the wait before anything is started, one while waiting cancels what was started. The
     * cancelled operation must undo what it may still get.
     *
     * @param operation its name, for messages
     * @param waitMillis longest wait, in milliseconds
     * @param start starts it
     * @param onTimeout has the operation end now, called when the wait is over
     * @param <T> type of its result
     * @return its result
     * @throws InterruptedException if the thread was interrupted; its flag is cleared
     * @throws IllegalStateException before it is started, on an I/O thread, which must never block
     */
    public static <T extends @Nullable Object, F extends CompletableFuture<T>> T interruptibly(
            String operation, long waitMillis, Supplier<F> start, Consumer<F> onTimeout) throws InterruptedException {
        refuseIoThread(operation);
        if (Thread.interrupted()) {
            throw new InterruptedException(operation + " was interrupted before it began");
        }
        F future = start.get();
        try {
            try {
                return future.get(waitMillis, TimeUnit.MILLISECONDS);
            } catch (TimeoutException e) {
                onTimeout.accept(future);
                return future.get();
            }
        } catch (InterruptedException e) {
            if (future.cancel(false)) {
                throw e;
            }
            Thread.currentThread().interrupt();
            return uninterruptibly(operation, () -> future);
        } catch (ExecutionException e) {
            throw rethrowable(operation, e);
        }
    }

    /**
     * Starts an operation and waits for it whatever happens to the thread; an interrupt is kept for later.
     *
     * @param operation its name, for messages
     * @param start starts it
     * @param <T> type of its result
     * @return its result
     * @throws IllegalStateException before it is started, on an I/O thread, which must never block
     */
    public static <T extends @Nullable Object> T uninterruptibly(
            String operation, Supplier<? extends CompletionStage<T>> start) {
        refuseIoThread(operation);
        CompletableFuture<T> future = start.get().toCompletableFuture();
        boolean interrupted = false;
        try {
            while (true) {
                try {
                    return future.get();
                } catch (InterruptedException e) {
                    interrupted = true;
                } catch (ExecutionException e) {
                    throw rethrowable(operation, e);
                }
            }
        } finally {
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }

    /**
     * Whether the current thread does I/O for others and must never wait.
     *
     * @return true on a thread of Lettuce or a non-blocking one of Reactor
     */
    public static boolean onIoThread() {
        return Thread.currentThread() instanceof FastThreadLocalThread || Schedulers.isInNonBlockingThread();
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
        if (onIoThread()) {
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
