// SPDX-License-Identifier: Apache-2.0
package dev.interlock.lock;

import dev.interlock.lock.LockLane.Answer;
import java.util.concurrent.TimeUnit;

/**
 * The holders of one grant in this JVM, one after the other, each with a fence of its own and none with a call to Redis. They
 * go on while the lease is far from its end and fences of the grant are left, of which a grant has {@value LockLane#ROOM}; if
 * others are known to wait, for {@value #MAX_STAY_MILLIS} ms at most. (Lock cohorting: Dice, Marathe and Shavit, "Lock Cohorting:
 * A General Technique for Designing NUMA Locks", PPoPP 2012.) Guarded by its queue.
 */
final class Cohort {
    static final long MAX_STAY_MILLIS = 10;

    final Hold hold;
    private final long firstFence;
    private final long sinceNanos = System.nanoTime();
    private int passes;
    private volatile boolean othersWait;

    Cohort(Hold hold, Answer granted) {
        this.hold = hold;
        firstFence = granted.number();
        othersWait = granted.somebodyWaits();
    }

    void othersWait(boolean wait) {
        othersWait = wait;
    }

    boolean mayPassTo(LockOptions next) {
        long leaseMillis = hold.leaseMillis();
        boolean alike = hold.renewed() && next.renewal() && next.leaseMillis() == leaseMillis;
        long left = TimeUnit.NANOSECONDS.toMillis(hold.remainingNanos());
        // What was handed over by push is short until its first renewal comes back: who takes over profits from that
        // too.
        boolean fresh = left > leaseMillis / 2 || (hold.beingRenewed() && left > LockLane.HANDOVER_MILLIS / 2);
        long stayedNanos = System.nanoTime() - sinceNanos;
        boolean fair = !othersWait || stayedNanos < TimeUnit.MILLISECONDS.toNanos(MAX_STAY_MILLIS);
        // A fence that is behind the clock of Redis at its use stays smaller than any that the clock gives later.
        boolean behindClock = passes < TimeUnit.NANOSECONDS.toMicros(stayedNanos);
        return alike && fresh && fair && behindClock && passes < LockLane.ROOM - 1;
    }

    /** Fence of the next holder. */
    long pass() {
        passes++;
        return firstFence + passes;
    }
}
