// SPDX-License-Identifier: Apache-2.0
package dev.interlock.lock;

import dev.interlock.InterlockListener;
import dev.interlock.Operation;
import dev.interlock.internal.Telling;
import java.util.concurrent.CancellationException;
import org.jspecify.annotations.Nullable;

/** What a listener is told about the leases of a primitive. */
enum LeaseKind {
    LOCK(Operation.LOCK_ACQUIRE, Operation.LOCK_HOLD, Operation.LOCK_RENEW),
    SEMAPHORE(Operation.SEMAPHORE_ACQUIRE, Operation.SEMAPHORE_HOLD, Operation.SEMAPHORE_RENEW),
    RWLOCK(Operation.RWLOCK_ACQUIRE, Operation.RWLOCK_HOLD, Operation.RWLOCK_RENEW);

    final Operation acquire;
    final Operation hold;
    final Operation renew;

    LeaseKind(Operation acquire, Operation hold, Operation renew) {
        this.acquire = acquire;
        this.hold = hold;
        this.renew = renew;
    }

    /** Has the end of a caller's wait told. */
    Waiter timed(Telling telling, Waiter waiter) {
        if (telling.on()) {
            InterlockListener.Ending ending = telling.start(acquire);
            waiter.whenComplete((found, error) -> ending.ended(outcome(found != null && found.isPresent(), error)));
        }
        return waiter;
    }

    /** Tells that a lease ended. */
    void ended(Telling telling, String outcome, long sinceNanos) {
        telling.ended(hold, outcome, System.nanoTime() - sinceNanos);
    }

    /** Tells that a lease was released, unless it had ended before; gives back what it was. */
    Lease.State released(Telling telling, Lease.State before, long sinceNanos) {
        if (before == Lease.State.OPEN || before == Lease.State.TOKEN_READ) {
            ended(telling, "released", sinceNanos);
        }
        return before;
    }

    private static String outcome(boolean granted, @Nullable Throwable error) {
        if (error == null) {
            return granted ? "granted" : "refused";
        }
        return error instanceof CancellationException ? "cancelled" : "failed";
    }
}
