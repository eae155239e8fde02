// SPDX-License-Identifier: Apache-2.0
package dev.interlock.lock;

import dev.interlock.internal.LuaScript;
import dev.interlock.internal.Names;
import dev.interlock.internal.Tracking;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * What one token owns at Redis for a time; the core of every lease. Knows by the monotonic clock alone how long it is
 * surely owned, and has at most one renewal under way, which a release waits for.
 *
 * <pre>
 *  HELD ── renewed ──────────────────────────────▶ HELD, valid longer
 *  HELD ── "not yours" | key gone | time over ───▶ LOST, told once
 *  HELD ── release asked, no renewal under way ──▶ ENDED, then the release is sent; no renewal is ever sent again
 * </pre>
 */
final class Hold {
    /** What differs between primitives. */
    interface Keeper {
        /** What a listener is told about it. */
        LeaseKind kind();

        /** Prolongs a batch of holds: keys are theirs in turn, arguments token and lease of each; codes as renew.lua. */
        LuaScript renewal();

        /** Whether the value of a hold's watched key shows that its token still owns it. */
        boolean owned(Hold hold, byte @Nullable [] value);

        /** Begins to watch a hold; null if that is done otherwise. */
        default Tracking.@Nullable Watch watch(Hold hold, Tracking tracking) {
            return tracking.watch(hold.keys[0], () -> {}, hold::seen);
        }

        /** A renewal came back. */
        default void renewed(Hold hold, boolean somebodyWaits) {}

        /** The hold was lost; its lease has been told. */
        void lost(Hold hold);

        /** Gives back what a lease stands for. */
        CompletableFuture<ReleaseResult> release(Lease lease, Lease.State before);
    }

    /** The terms of a grant. */
    record Terms(long sentNanos, long leaseMillis, boolean renewed) {
        /** Until when it is surely owned: the time counts from before the sending, less what clocks may drift apart. */
        long validUntilNanos() {
            return sentNanos + TimeUnit.MILLISECONDS.toNanos(leaseMillis) - driftNanos(leaseMillis);
        }

        boolean over() {
            return validUntilNanos() - System.nanoTime() <= 0;
        }

        private static long driftNanos(long leaseMillis) {
            return TimeUnit.MILLISECONDS.toNanos(leaseMillis) / 100 + TimeUnit.MILLISECONDS.toNanos(2);
        }
    }

    enum State {
        HELD,
        LOST,
        ENDED
    }

    private static final CompletableFuture<Void> NOTHING = CompletableFuture.completedFuture(null);

    /** Complete once Redis has answered the release, or it was lost: nothing more is sent for it then. */
    final CompletableFuture<Void> gone = new CompletableFuture<>();

    final Keeper keeper;
    final String name;
    final String token;
    /** Keys of its renewal; the first one is watched. */
    final byte[][] keys;

    private final ReentrantLock guard = new ReentrantLock();
    private volatile State state = State.HELD;
    private volatile long validUntilNanos;
    private volatile long renewNanos;
    private volatile long leaseMillis;
    private volatile boolean renewed;
    private volatile @Nullable Lease lease;
    private volatile @Nullable String lostBecause;
    private CompletableFuture<Void> renewal = NOTHING;
    private Tracking.@Nullable Watch watch;

    Hold(Keeper keeper, String name, String token, byte[][] keys, Terms terms) {
        this.keeper = keeper;
        this.name = name;
        this.token = token;
        this.keys = keys;
        leaseMillis = terms.leaseMillis();
        renewed = terms.renewed();
        validUntilNanos = terms.validUntilNanos();
        renewNanos = nextRenewal(terms.sentNanos());
    }

    private long nextRenewal(long fromNanos) {
        return fromNanos + TimeUnit.MILLISECONDS.toNanos(leaseMillis) / 3;
    }

    /** The lease that users have of it now. */
    void handTo(Lease next, LockOptions options) {
        leaseMillis = options.leaseMillis();
        renewed = options.renewal();
        lease = next;
        String because = lostBecause;
        if (because != null) {
            next.lost(because);
        }
    }

    @Nullable
    Lease lease() {
        return lease;
    }

    boolean held() {
        return state == State.HELD;
    }

    boolean valid() {
        return remainingNanos() > 0;
    }

    /** How long it is surely owned; zero or less once that is over. */
    long remainingNanos() {
        return state == State.HELD ? validUntilNanos - System.nanoTime() : 0;
    }

    long leaseMillis() {
        return leaseMillis;
    }

    boolean renewed() {
        return renewed;
    }

    /** When to look at it again. */
    long dueNanos() {
        return renewed && renewNanos - validUntilNanos < 0 ? renewNanos : validUntilNanos;
    }

    boolean renewalDue(long nowNanos) {
        return renewed && nowNanos - renewNanos >= 0;
    }

    /** Reserves the one renewal that may be under way; empty if there is one, or it has ended. */
    boolean beginRenewal() {
        guard.lock();
        try {
            if (state != State.HELD || !renewal.isDone()) {
                return false;
            }
            renewal = new CompletableFuture<>();
            return true;
        } finally {
            guard.unlock();
        }
    }

    /** Ends the renewal that was begun. */
    void endRenewal(@Nullable Terms granted, boolean lost) {
        long now = System.nanoTime();
        if (granted != null) {
            if (granted.validUntilNanos() - validUntilNanos > 0) {
                validUntilNanos = granted.validUntilNanos();
            }
            renewNanos = nextRenewal(granted.sentNanos());
        } else {
            // Soon enough for several tries, seldom enough not to flood a server in trouble.
            renewNanos = now + TimeUnit.MILLISECONDS.toNanos(Math.min(1_000, Math.max(20, leaseMillis / 10)));
        }
        guard.lock();
        try {
            renewal.complete(null);
        } finally {
            guard.unlock();
        }
        if (lost) {
            lose("it was removed, or another owns it");
        }
    }

    /** The renewal under way, or a finished one. */
    CompletableFuture<Void> renewal() {
        guard.lock();
        try {
            return renewal;
        } finally {
            guard.unlock();
        }
    }

    boolean beingRenewed() {
        return !renewal().isDone();
    }

    /** No renewal begins after this; complete when none is under way. Repetitions are harmless. */
    CompletableFuture<Void> end() {
        return end(State.ENDED) ? renewal() : NOTHING;
    }

    void lose(String reason) {
        if (end(State.LOST)) {
            lostBecause = reason;
            Lease told = lease;
            if (told != null) {
                told.lost(reason);
            }
            keeper.lost(this);
            gone.complete(null);
        }
    }

    void loseIfOver(long nowNanos) {
        if (nowNanos - validUntilNanos >= 0) {
            lose("its time was over and no renewal had come through");
        }
    }

    private boolean end(State last) {
        Tracking.Watch unused;
        guard.lock();
        try {
            if (state != State.HELD) {
                return false;
            }
            state = last;
            unused = watch;
            watch = null;
        } finally {
            guard.unlock();
        }
        if (unused != null) {
            unused.close();
        }
        return true;
    }

    /** Has changes of the key told at once from now on. */
    void watch(Tracking tracking) {
        Tracking.Watch opened = keeper.watch(this, tracking);
        if (opened == null) {
            return;
        }
        guard.lock();
        try {
            if (state == State.HELD && watch == null) {
                watch = opened;
                return;
            }
        } finally {
            guard.unlock();
        }
        opened.close();
    }

    private void seen(byte @Nullable [] value) {
        if (!keeper.owned(this, value)) {
            lose("its key was removed, or another owns it");
        }
    }

    /** For messages. */
    String what() {
        return "the lease of " + Names.echo(name);
    }
}
