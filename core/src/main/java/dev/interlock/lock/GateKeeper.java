// SPDX-License-Identifier: Apache-2.0
package dev.interlock.lock;

import dev.interlock.internal.LuaScript;
import dev.interlock.internal.Tracking;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * What becomes of the permits of one semaphore or read-write lock: renewal, loss and return. All permits are in one key, so
 * they share one watch, and a change of the key has Redis asked which of them are still there.
 */
final class GateKeeper implements Hold.Keeper {
    /** Changes within this time share one look. */
    private static final long SETTLE_MILLIS = 20;

    private final Gate gate;
    private final Set<Hold> holds = ConcurrentHashMap.newKeySet();
    private final AtomicBoolean looking = new AtomicBoolean();
    private final ReentrantLock guard = new ReentrantLock();
    private Tracking.@Nullable Watch watch;

    GateKeeper(Gate gate) {
        this.gate = gate;
    }

    void keep(Hold hold) {
        holds.add(hold);
        gate.leases().keep(hold);
    }

    @Override
    public LeaseKind kind() {
        return gate.keys().kind;
    }

    @Override
    public LuaScript renewal() {
        return GateLane.PROLONG;
    }

    @Override
    public boolean owned(Hold hold, byte @Nullable [] value) {
        return true;
    }

    @Override
    public Tracking.@Nullable Watch watch(Hold hold, Tracking tracking) {
        guard.lock();
        try {
            if (watch == null && holds.contains(hold)) {
                watch = tracking.watch(gate.keys().holders, () -> {}, value -> lookSoon());
            }
            return null;
        } finally {
            guard.unlock();
        }
    }

    private void lookSoon() {
        if (looking.compareAndSet(false, true) && gate.leases().later(this::look, SETTLE_MILLIS) == null) {
            looking.set(false);
        }
    }

    private void look() {
        looking.set(false);
        List<Hold> mine = List.copyOf(holds);
        gate.lane()
                .holders(gate.keys(), mine.stream().map(hold -> hold.token).toList())
                .thenAccept(answer -> {
                    for (int i = 0; i < mine.size(); i++) {
                        if (answer.get(i + 1) == 0) {
                            mine.get(i).lose("its permit was removed");
                        }
                    }
                });
    }

    @Override
    public void lost(Hold hold) {
        forget(hold);
    }

    private void forget(Hold hold) {
        gate.leases().forget(hold);
        guard.lock();
        try {
            holds.remove(hold);
            if (holds.isEmpty() && watch != null) {
                watch.close();
                watch = null;
            }
        } finally {
            guard.unlock();
        }
    }

    @Override
    public CompletableFuture<ReleaseResult> release(Lease lease, Lease.State before) {
        Hold hold = lease.hold();
        forget(hold);
        return hold.end()
                .thenCompose(ended -> gate.lane().leave(gate.keys(), hold.token).handle((met, thrown) -> {
                    if (met != null) {
                        return met;
                    }
                    gate.undo(hold.token, hold.leaseMillis(), true);
                    throw new CompletionException(LockLane.cause(thrown));
                }));
    }

    /** Gives back by token alone. */
    CompletableFuture<ReleaseResult> release(String token) {
        Hold hold = gate.leases().hold(token);
        Lease lease = hold == null || hold.keeper != this ? null : hold.lease();
        return lease != null ? lease.releaseOnce() : gate.lane().leave(gate.keys(), token);
    }
}
