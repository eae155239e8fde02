// SPDX-License-Identifier: Apache-2.0
package dev.interlock.lock;

import dev.interlock.OutcomeUnknownException;
import dev.interlock.lock.LockLane.Answer;
import java.util.Iterator;
import java.util.LinkedHashSet;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * What this JVM does about one lock: who waits for it here, in order, what it holds, and its one claim at Redis.
 *
 * <pre>
 *  FREE    ── somebody waits ──▶ CLAIMED ── granted ──▶ HELD by the first who still waits
 *  CLAIMED ── the last waiter left ──▶ FREE, the claim is undone
 *  HELD    ── released, may stay here (see Cohort) ──▶ HELD by the next waiter, same token, next fence, no call
 *  HELD    ── released, nobody waits ──▶ FREE, given back
 *  HELD    ── released, must leave ──▶ CLAIMED: given back with a claim as heir, at the end of the queue at Redis
 *  HELD    ── lost ──▶ FREE or CLAIMED
 * </pre>
 */
final class LockQueue {
    private final Leases leases;
    private final LockKeys keys;
    private final ReentrantLock guard = new ReentrantLock();
    private final LockKeeper keeper = new LockKeeper(this);
    private final Set<Waiter> waiters = new LinkedHashSet<>();
    private volatile @Nullable Cohort cohort;
    private @Nullable Claim claim;

    LockQueue(Leases leases, LockKeys keys) {
        this.leases = leases;
        this.keys = keys;
    }

    LockKeys keys() {
        return keys;
    }

    Leases leases() {
        return leases;
    }

    LockKeeper keeper() {
        return keeper;
    }

    /** Asks for the lock; the answer comes within the wait, or for no wait within the time of one call. */
    Waiter acquire(LockOptions options, long waitMillis, boolean blocking) {
        Waiter waiter = LeaseKind.LOCK.timed(leases.telling(), new Waiter(options, waitMillis, blocking));
        waiter.whenComplete((lease, error) -> left(waiter));
        if (!leases.enter(waiter)) {
            return waiter;
        }
        waiter.expire(leases, this::expire);
        boolean waits = waitMillis > 0 && options.waiting() != LockOptions.Waiting.BARGING;
        Hold mine = hold();
        if (waits) {
            await(waiter);
        } else if (mine != null && mine.valid()) {
            refused(waiter);
        } else {
            new Attempt(this, waiter).send();
        }
        return waiter;
    }

    /** Another has the lock at this moment. */
    void refused(Waiter waiter) {
        if (waiter.waitMillis == 0) {
            waiter.complete(Optional.empty());
        } else {
            await(waiter);
        }
    }

    private void await(Waiter waiter) {
        Claim started = null;
        guard.lock();
        try {
            waiters.add(waiter);
            Hold mine = hold();
            if (mine == null || !mine.held()) {
                started = newClaim();
            }
        } finally {
            guard.unlock();
        }
        if (waiter.isDone()) {
            left(waiter);
        }
        if (started != null) {
            started.ask();
        }
    }

    /** The caller's time is over. */
    void expire(Waiter waiter) {
        Throwable failure = null;
        if (waiter.waitMillis == 0) {
            failure = noReply();
        } else {
            guard.lock();
            try {
                failure = claim == null ? null : claim.failure();
            } finally {
                guard.unlock();
            }
        }
        if (failure == null) {
            waiter.complete(Optional.empty());
        } else {
            waiter.completeExceptionally(failure);
        }
    }

    static OutcomeUnknownException noReply() {
        return new OutcomeUnknownException(
                "lock: no reply came in time; what may have been granted is released in the background", null);
    }

    private void left(Waiter waiter) {
        leases.leave(waiter);
        waiter.cancelDeadline();
        Claim unused = null;
        guard.lock();
        try {
            if (waiters.remove(waiter) && waiters.isEmpty()) {
                unused = claim;
                claim = null;
            }
        } finally {
            guard.unlock();
        }
        if (unused != null) {
            unused.giveUp();
        }
    }

    private @Nullable Waiter pollWaiter() {
        Iterator<Waiter> all = waiters.iterator();
        if (!all.hasNext()) {
            return null;
        }
        Waiter first = all.next();
        all.remove();
        return first;
    }

    /** A claim has got the lock; null if nobody waits for it any more. */
    @Nullable
    Hold granted(Claim by, Hold.Terms terms, Answer answer, boolean confirm) {
        Waiter first = null;
        guard.lock();
        try {
            if (claim == by) {
                claim = null;
                first = pollWaiter();
            }
        } finally {
            guard.unlock();
        }
        if (first == null) {
            Undo.start(leases, keys, by.token, by.options.leaseMillis(), false);
            return null;
        }
        Hold hold = hold(by.token, terms, answer, first);
        if (confirm || first.options.leaseMillis() > terms.leaseMillis()) {
            leases.renewals().extend(hold, first.options.leaseMillis());
        }
        return hold;
    }

    /** A claim can never get the lock. */
    void failed(Claim by, Throwable error) {
        Waiter[] all;
        guard.lock();
        try {
            if (claim != by) {
                return;
            }
            claim = null;
            all = waiters.toArray(Waiter[]::new);
        } finally {
            guard.unlock();
        }
        for (Waiter waiter : all) {
            waiter.completeExceptionally(error);
        }
    }

    /** The lock was granted to a token, for a caller. */
    Hold hold(String token, Hold.Terms terms, Answer answer, Waiter first) {
        Hold hold = new Hold(keeper, keys.name, token, new byte[][] {keys.lock, keys.queue}, terms);
        Hold stale;
        guard.lock();
        try {
            stale = hold();
            cohort = new Cohort(hold, answer);
        } finally {
            guard.unlock();
        }
        if (stale != null) {
            stale.lose("another owns it");
        }
        leases.keep(hold);
        hand(hold, answer.number(), first);
        return hold;
    }

    /** Makes a caller the holder. */
    void hand(Hold hold, long fence, Waiter next) {
        Lease lease = new Lease(leases, hold, fence);
        hold.handTo(lease, next.options);
        next.hand(lease, leases.engine().executor());
    }

    /** By push. */
    void handedOver(String token, long fence, boolean somebodyWaits) {
        Claim pushed;
        guard.lock();
        try {
            pushed = claim;
        } finally {
            guard.unlock();
        }
        if (pushed != null && pushed.token.equals(token)) {
            pushed.handedOver(new Answer(true, fence, somebodyWaits));
        }
    }

    /** Who takes over a released hold: a waiter here, or a claim that inherits at Redis, or nobody. */
    record Departure(
            @Nullable Waiter next, long fence, @Nullable Claim heir) {}

    /** A holder leaves; the hold may stay here if its token is not known to others. */
    Departure depart(Hold hold, boolean mayStay) {
        guard.lock();
        try {
            Cohort current = cohort;
            if (current == null || current.hold != hold) {
                return new Departure(null, 0, null);
            }
            Iterator<Waiter> all = waiters.iterator();
            if (mayStay && claim == null && all.hasNext() && current.mayPassTo(all.next().options)) {
                return new Departure(pollWaiter(), current.pass(), null);
            }
            cohort = null;
            return new Departure(null, 0, newClaim());
        } finally {
            guard.unlock();
        }
    }

    /** A claim for those who wait, if there is none yet. */
    private @Nullable Claim newClaim() {
        Iterator<Waiter> all = waiters.iterator();
        if (claim != null || !all.hasNext()) {
            return null;
        }
        Claim made = new Claim(this, leases, all.next().options);
        claim = made;
        return made;
    }

    void lost(Hold hold) {
        leases.forget(hold);
        Claim started = null;
        guard.lock();
        try {
            if (cohort != null && cohort.hold == hold) {
                cohort = null;
                started = newClaim();
            }
        } finally {
            guard.unlock();
        }
        if (started != null) {
            started.ask();
        }
    }

    void othersWait(Hold hold, boolean wait) {
        Cohort current = cohort;
        if (current != null && current.hold == hold) {
            current.othersWait(wait);
        }
    }

    /** What this JVM holds of the lock. */
    @Nullable
    Hold hold() {
        Cohort current = cohort;
        return current == null ? null : current.hold;
    }
}
