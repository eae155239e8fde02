// SPDX-License-Identifier: Apache-2.0
package dev.interlock.lock;

import io.netty.util.Timeout;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * One caller who asks for a lock: a future that whoever has it may also cancel. A lease that comes when it is done already is
 * released.
 */
final class Waiter extends CompletableFuture<Optional<Lease>> {
    final LockOptions options;
    final long waitMillis;
    /** Whether a thread waits for it, so that completing it runs nobody's code. */
    private final boolean blocking;

    private volatile @Nullable Timeout deadline;

    Waiter(LockOptions options, long waitMillis, boolean blocking) {
        this.options = options;
        this.waitMillis = waitMillis;
        this.blocking = blocking;
    }

    /** Has somebody told when its time is over, unless its own thread looks at the clock. */
    void expire(Leases leases, Consumer<Waiter> over) {
        if (!blocking || waitMillis == 0) {
            deadline(leases.later(() -> over.accept(this), waitMillis > 0 ? waitMillis : leases.patienceMillis()));
        }
    }

    void deadline(@Nullable Timeout timeout) {
        deadline = timeout;
        if (isDone()) {
            cancelDeadline();
        }
    }

    void cancelDeadline() {
        Timeout timeout = deadline;
        if (timeout != null) {
            timeout.cancel();
        }
    }

    /**
     * Hands over a lease. Code that depends on it runs on the executor: a long chain of holders that release at once would
     * else overflow the stack.
     */
    void hand(Lease lease, Executor executor) {
        if (blocking) {
            handNow(lease);
            return;
        }
        try {
            executor.execute(() -> handNow(lease));
        } catch (RejectedExecutionException e) {
            handNow(lease);
        }
    }

    private void handNow(Lease lease) {
        if (!complete(Optional.of(lease))) {
            lease.releaseOnce();
        }
    }

    /** The same wait, failing where this one ends empty. Cancelling it ends this one. */
    CompletableFuture<Lease> required(Supplier<LockTimeoutException> failure) {
        CompletableFuture<Lease> lease = new CompletableFuture<>();
        lease.whenComplete((granted, error) -> cancel(false));
        whenComplete((found, error) -> {
            if (found == null) {
                lease.completeExceptionally(error);
            } else if (found.isEmpty()) {
                lease.completeExceptionally(failure.get());
            } else if (!lease.complete(found.get())) {
                found.get().releaseOnce();
            }
        });
        return lease;
    }
}
