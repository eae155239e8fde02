// SPDX-License-Identifier: Apache-2.0
package dev.interlock.lock;

import dev.interlock.OutcomeUnknownException;
import dev.interlock.internal.LuaScript;
import dev.interlock.lock.LockLane.Answer;
import dev.interlock.lock.LockLane.Mode;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Iterator;
import java.util.LinkedHashSet;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * What this JVM does about one lock: who waits for it here, in order, what it holds, and its one claim at Redis.
 *
 * <pre>
 *  FREE    ── somebody waits ──▶ CLAIMED ── granted ──▶ HELD by the first who still waits
 *  CLAIMED ── the last waiter left ──▶ FREE, the claim is undone
 *  HELD    ── released, may stay here ──▶ HELD by the next waiter, same token, next fence, no call
 *  HELD    ── released, nobody waits ──▶ FREE, given back
 *  HELD    ── released, must leave ──▶ CLAIMED: given back with a claim as heir, at the end of the queue at Redis
 *  HELD    ── lost ──▶ FREE or CLAIMED
 * </pre>
 *
 * A lock may stay here while nobody else is known to wait, the lease is far from its end, and fences of the grant are left;
 * if others wait, for {@value #MAX_PASSES} holders or {@value #MAX_STAY_MILLIS} ms (lock cohorting: Dice, Marathe and Shavit,
 * "Lock Cohorting", PPoPP 2012).
 */
final class LockQueue implements Hold.Keeper {
    static final int MAX_PASSES = 64;
    static final long MAX_STAY_MILLIS = 10;

    private final Leases leases;
    private final LockKeys keys;
    private final ReentrantLock guard = new ReentrantLock();
    private final Set<Waiter> waiters = new LinkedHashSet<>();
    private @Nullable Hold holder;
    private @Nullable Claim claim;
    /** Since the holder's grant. */
    private long nextFence;

    private int passes;
    private long sinceNanos;
    private volatile boolean othersWait;

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

    /** Asks for the lock; the answer comes within the wait, or for no wait within the time of one call. */
    Waiter acquire(LockOptions options, long waitMillis, boolean blocking) {
        Waiter waiter = new Waiter(options, waitMillis, blocking);
        waiter.whenComplete((lease, error) -> left(waiter));
        if (!leases.enter(waiter)) {
            return waiter;
        }
        if (waitMillis > 0) {
            waiter.deadline(leases.later(() -> expire(waiter), waitMillis));
        }
        if (waitMillis == 0 || options.waiting() == LockOptions.Waiting.BARGING) {
            askOnce(waiter);
        } else {
            await(waiter);
        }
        return waiter;
    }

    private void askOnce(Waiter waiter) {
        if (heldHere()) {
            refused(waiter);
            return;
        }
        LockOptions options = waiter.options;
        String token = Leases.newToken();
        long sent = System.nanoTime();
        Mode mode = options.waiting() == LockOptions.Waiting.BARGING ? Mode.BARGE : Mode.ONCE;
        leases.lane()
                .ask(new LockLane.Ask(keys, token, options.leaseMillis(), mode))
                .whenComplete((answer, thrown) -> {
                    if (answer == null) {
                        Throwable error = unwrap(thrown);
                        if (error instanceof OutcomeUnknownException) {
                            Undo.start(leases, keys, token, options.leaseMillis(), true);
                        }
                        waiter.completeExceptionally(error);
                    } else if (answer.granted()) {
                        Hold.Terms terms = new Hold.Terms(sent, options.leaseMillis(), options.renewal());
                        hold(new Hold(this, keys.name, token, renewalKeys(), terms), answer, waiter);
                    } else {
                        refused(waiter);
                    }
                });
    }

    private static Throwable unwrap(@Nullable Throwable thrown) {
        Throwable cause = thrown instanceof CompletionException ? thrown.getCause() : thrown;
        return cause == null ? new IllegalStateException("no answer and no failure") : cause;
    }

    private boolean heldHere() {
        guard.lock();
        try {
            return holder != null && holder.valid();
        } finally {
            guard.unlock();
        }
    }

    private void refused(Waiter waiter) {
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
            if ((holder == null || !holder.held()) && claim == null) {
                started = claim = new Claim(this, leases, waiter.options);
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

    private byte[][] renewalKeys() {
        return new byte[][] {keys.lock, keys.queue};
    }

    /** A claim has got the lock. */
    void granted(Claim by, Hold.Terms terms, Answer answer, boolean confirm) {
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
            return;
        }
        Hold hold = new Hold(this, keys.name, by.token, renewalKeys(), terms);
        hold(hold, answer, first);
        if (confirm || first.options.leaseMillis() > terms.leaseMillis()) {
            leases.renewals().extend(hold, first.options.leaseMillis());
        }
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

    private void hold(Hold hold, Answer answer, Waiter first) {
        Hold stale;
        guard.lock();
        try {
            stale = holder;
            holder = hold;
            nextFence = answer.number() + 1;
            passes = 0;
            sinceNanos = System.nanoTime();
            othersWait = answer.somebodyWaits();
        } finally {
            guard.unlock();
        }
        if (stale != null) {
            stale.lose("another owns it");
        }
        Lease lease = new Lease(leases, hold, answer.number());
        hold.handTo(lease, first.options);
        leases.keep(hold);
        first.hand(lease, leases.engine().executor());
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

    @Override
    public CompletableFuture<ReleaseResult> release(Lease lease, Lease.State before) {
        Hold hold = lease.hold();
        Waiter next = null;
        Claim heir = null;
        long fence = 0;
        guard.lock();
        try {
            if (holder == hold) {
                if (before == Lease.State.OPEN && mayStay(hold)) {
                    next = pollWaiter();
                    fence = nextFence++;
                    passes++;
                } else {
                    holder = null;
                    if (!waiters.isEmpty() && claim == null) {
                        heir = claim = new Claim(this, leases, waiters.iterator().next().options);
                    }
                }
            }
        } finally {
            guard.unlock();
        }
        if (next != null) {
            Lease passed = new Lease(leases, hold, fence);
            hold.handTo(passed, next.options);
            next.hand(passed, leases.engine().executor());
            return CompletableFuture.completedFuture(new ReleaseResult.Released());
        }
        leases.forget(hold);
        Claim inheriting = heir;
        return hold.end().thenCompose(done -> giveBack(hold, inheriting));
    }

    private boolean mayStay(Hold hold) {
        Iterator<Waiter> all = waiters.iterator();
        if (!all.hasNext() || claim != null || !hold.renewed()) {
            return false;
        }
        LockOptions next = all.next().options;
        boolean alike = next.renewal() && next.leaseMillis() == hold.leaseMillis();
        boolean fresh = hold.remainingNanos() > TimeUnit.MILLISECONDS.toNanos(hold.leaseMillis()) / 2;
        boolean fair = !othersWait
                || (passes < MAX_PASSES
                        && System.nanoTime() - sinceNanos < TimeUnit.MILLISECONDS.toNanos(MAX_STAY_MILLIS));
        return alike && fresh && fair && passes < LockLane.ROOM - 1;
    }

    private CompletableFuture<ReleaseResult> giveBack(Hold hold, @Nullable Claim heir) {
        boolean inherits = heir != null && heir.options.waiting() != LockOptions.Waiting.SPIN && heir.begin();
        long sent = System.nanoTime();
        String token = inherits && heir != null ? heir.token : null;
        long lease = heir == null ? 0 : heir.options.leaseMillis();
        return leases.lane()
                .giveBack(new LockLane.Back(keys, hold.token, token, lease))
                .handle((met, thrown) -> {
                    if (heir != null && inherits) {
                        inherit(heir, sent, met, thrown);
                    } else if (heir != null) {
                        heir.ask();
                    }
                    if (met != null) {
                        return met.result();
                    }
                    Undo.start(leases, keys, hold.token, hold.leaseMillis(), true);
                    throw new CompletionException(unwrap(thrown));
                });
    }

    private static void inherit(Claim heir, long sent, LockLane.@Nullable Met met, @Nullable Throwable thrown) {
        boolean queued = met != null && met.result() instanceof ReleaseResult.Released;
        Answer answer = null;
        if (met != null) {
            boolean granted = met.heirFence() > 0;
            long number = granted ? met.heirFence() : queued ? LockLane.BEAT_MILLIS : 0;
            answer = new Answer(granted, number, met.somebodyWaits());
        }
        heir.answered(sent, answer, thrown);
    }

    /** Gives back by token alone. */
    CompletableFuture<ReleaseResult> release(String token) {
        Hold hold = leases.hold(token);
        Lease lease = hold == null || hold.keeper != this ? null : hold.lease();
        return lease != null
                ? lease.releaseOnce()
                : leases.lane().giveBack(new LockLane.Back(keys, token, null, 0)).thenApply(LockLane.Met::result);
    }

    /** Takes the lock from whoever has it; false if nobody had. */
    CompletableFuture<Boolean> forceRelease() {
        Hold mine;
        guard.lock();
        try {
            mine = holder;
        } finally {
            guard.unlock();
        }
        return leases.lane().force(keys).thenApply(met -> {
            if (mine != null) {
                mine.lose("it was released by force");
            }
            return met.result() instanceof ReleaseResult.Released;
        });
    }

    @Override
    public LuaScript renewal() {
        return LockLane.RENEW;
    }

    @Override
    public boolean owned(Hold hold, byte @Nullable [] value) {
        byte[] token = hold.token.getBytes(StandardCharsets.ISO_8859_1);
        return value != null
                && value.length > token.length
                && value[token.length] == '\t'
                && Arrays.equals(token, 0, token.length, value, 0, token.length);
    }

    @Override
    public void renewed(Hold hold, boolean somebodyWaits) {
        othersWait = somebodyWaits;
    }

    @Override
    public void lost(Hold hold) {
        leases.forget(hold);
        Claim started = null;
        guard.lock();
        try {
            if (holder == hold) {
                holder = null;
                if (!waiters.isEmpty() && claim == null) {
                    started = claim = new Claim(this, leases, waiters.iterator().next().options);
                }
            }
        } finally {
            guard.unlock();
        }
        if (started != null) {
            started.ask();
        }
    }
}
