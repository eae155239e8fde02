// SPDX-License-Identifier: Apache-2.0
package dev.interlock.internal;

import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.RejectedExecutionException;
import org.jspecify.annotations.Nullable;

/** Runs tasks on the one thread that waits for a future. */
final class CallerThread implements Executor {
    private final BlockingQueue<Runnable> tasks = new LinkedBlockingQueue<>();
    private boolean left;

    @Override
    public synchronized void execute(Runnable task) {
        if (left) {
            throw new RejectedExecutionException("the caller does not wait any more");
        }
        tasks.add(task);
    }

    <T extends @Nullable Object> CompletableFuture<T> runUntilDone(CompletableFuture<T> future)
            throws InterruptedException {
        future.whenComplete((result, error) -> tasks.add(() -> {}));
        try {
            while (!future.isDone()) {
                tasks.take().run();
            }
            return future;
        } finally {
            leave();
            // Does nothing to a future that is done; else it tells the operation that its tasks will not run.
            future.cancel(false);
        }
    }

    private synchronized void leave() {
        left = true;
    }
}
