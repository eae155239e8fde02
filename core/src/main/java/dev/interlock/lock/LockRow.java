// SPDX-License-Identifier: Apache-2.0
package dev.interlock.lock;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** Acquires locks one after the other in their canonical order, and gives all back if one cannot be had in time. */
final class LockRow {
    private final MultiCalls calls;
    private final CompletableFuture<Optional<MultiLease>> result;
    private final long endNanos;
    /** Touched by one step after the other only. */
    private final List<Lease> held = new ArrayList<>();

    private volatile @Nullable Waiter current;

    LockRow(MultiCalls calls, CompletableFuture<Optional<MultiLease>> result, long endNanos) {
        this.calls = calls;
        this.result = result;
        this.endNanos = endNanos;
        // The step under way then meets a result that is there, and gives back.
        result.whenComplete((lease, error) -> {
            Waiter waiter = current;
            if (waiter != null) {
                waiter.cancel(false);
            }
        });
    }

    /** Asks for the next lock. */
    void next() {
        long millis = Math.max(0, TimeUnit.NANOSECONDS.toMillis(endNanos - System.nanoTime()));
        LockQueue queue = calls.queues().get(held.size());
        Waiter waiter = queue.acquire(calls.options(), millis, false);
        current = waiter;
        waiter.whenComplete((found, error) -> answered(found == null ? null : found.orElse(null), error));
        if (result.isDone()) {
            waiter.cancel(false);
        }
    }

    private void answered(@Nullable Lease granted, @Nullable Throwable error) {
        if (granted != null) {
            held.add(granted);
            if (held.size() < calls.queues().size()) {
                if (result.isDone()) {
                    giveBack();
                } else {
                    next();
                }
            } else if (!result.complete(Optional.of(new MultiLease(held)))) {
                giveBack();
            }
        } else {
            // The caller hears of it when nothing is held any more, or its release is at least on its way.
            giveBack().whenComplete((released, failure) -> {
                if (error != null) {
                    result.completeExceptionally(LockLane.cause(error));
                } else {
                    result.complete(Optional.empty());
                }
            });
        }
    }

    private CompletableFuture<Void> giveBack() {
        return CompletableFuture.allOf(held.stream().map(Lease::releaseOnce).toArray(CompletableFuture[]::new));
    }
}
