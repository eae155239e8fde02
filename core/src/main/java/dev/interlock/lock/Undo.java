// SPDX-License-Identifier: Apache-2.0
package dev.interlock.lock;

import dev.interlock.OutcomeUnknownException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Takes back what a request may have got, by its token: its place in the queue and the lock. Repeated until Redis has
 * answered, or everything has lapsed by itself; after a doubtful request once more a little later, because that may have
 * been on its way over a connection that is gone.
 */
final class Undo {
    private static final long AGAIN_MILLIS = 100;
    private static final long DOUBT_MILLIS = 300;

    private final Leases leases;
    private final Supplier<? extends CompletionStage<?>> abandon;
    private final long endNanos;
    private boolean doubtful;

    private Undo(Leases leases, Supplier<? extends CompletionStage<?>> abandon, long leaseMillis, boolean doubtful) {
        this.leases = leases;
        this.abandon = abandon;
        this.doubtful = doubtful;
        // Nothing that an earlier request got lasts longer, unless a server was stopped for that long.
        endNanos = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(2 * leaseMillis + 10_000);
    }

    static void start(Leases leases, LockKeys keys, String token, long leaseMillis, boolean doubtful) {
        start(leases, () -> leases.lane().abandon(keys, token), leaseMillis, doubtful);
    }

    static void start(
            Leases leases, Supplier<? extends CompletionStage<?>> abandon, long leaseMillis, boolean doubtful) {
        new Undo(leases, abandon, leaseMillis, doubtful).run();
    }

    private void run() {
        abandon.get().whenComplete((met, error) -> answered(error));
    }

    private void answered(@Nullable Throwable error) {
        if (error != null) {
            doubtful |= error instanceof OutcomeUnknownException;
            later(AGAIN_MILLIS);
        } else if (doubtful) {
            doubtful = false;
            later(DOUBT_MILLIS);
        }
    }

    private void later(long millis) {
        if (System.nanoTime() - endNanos < 0) {
            leases.later(this::run, millis);
        }
    }
}
