// SPDX-License-Identifier: Apache-2.0
package dev.interlock.lock;

import dev.interlock.Operation;
import dev.interlock.internal.LuaScript;
import dev.interlock.lock.LockLane.Answer;
import dev.interlock.lock.LockLane.Back;
import dev.interlock.lock.LockLane.Met;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import org.jspecify.annotations.Nullable;

/**
 * What becomes of the holds of one lock: renewal, loss and return.
 *
 * @param queue who waits for it here
 */
record LockKeeper(LockQueue queue) implements Hold.Keeper {
    @Override
    public LeaseKind kind() {
        return LeaseKind.LOCK;
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
        queue.othersWait(hold, somebodyWaits);
    }

    @Override
    public void lost(Hold hold) {
        queue.lost(hold);
    }

    @Override
    public CompletableFuture<ReleaseResult> release(Lease lease, Lease.State before) {
        Hold hold = lease.hold();
        LockQueue.Departure departure = queue.depart(hold, before == Lease.State.OPEN);
        Waiter next = departure.next();
        if (next != null) {
            queue.leases().telling().ended(Operation.LOCK_HANDOVER, "local", 0);
            queue.hand(hold, departure.fence(), next);
            return CompletableFuture.completedFuture(new ReleaseResult.Released());
        }
        queue.leases().forget(hold);
        return hold.end().thenCompose(ended -> giveBack(hold, departure.heir()));
    }

    private CompletableFuture<ReleaseResult> giveBack(Hold hold, @Nullable Claim heir) {
        boolean inherits = heir != null && heir.inherits();
        long sent = System.nanoTime();
        Back back = heir == null || !inherits
                ? new Back(queue.keys(), hold.token, null, 0)
                : new Back(queue.keys(), hold.token, heir.token, heir.options.leaseMillis());
        return queue.leases().lane().giveBack(back).handle((met, thrown) -> {
            hold.gone.complete(null);
            if (heir != null && inherits) {
                heir.answered(sent, met == null ? null : heritage(met), thrown);
            } else if (heir != null) {
                heir.ask();
            }
            if (met != null) {
                return met.result();
            }
            Undo.start(queue.leases(), queue.keys(), hold.token, hold.leaseMillis(), true);
            throw new CompletionException(thrown);
        });
    }

    /** What the release means for the heir: he is the owner, or he is queued, or nothing happened and he asks at once. */
    private static Answer heritage(Met met) {
        if (met.heirFence() > 0) {
            return new Answer(true, met.heirFence(), met.somebodyWaits());
        }
        boolean queued = met.result() instanceof ReleaseResult.Released;
        return new Answer(false, queued ? LockLane.BEAT_MILLIS : 0, false);
    }

    /** Ends a lease, but has the lock stay taken for a while. */
    CompletableFuture<ReleaseResult> lapse(Lease lease, long millis) {
        Hold hold = lease.hold();
        Claim heir = queue.depart(hold, false).heir();
        queue.leases().forget(hold);
        return hold.end()
                .thenCompose(ended -> queue.leases().lane().lapse(queue.keys(), hold.token, millis))
                .whenComplete((met, thrown) -> {
                    hold.gone.complete(null);
                    if (heir != null) {
                        heir.ask();
                    }
                });
    }

    /** Gives back by token alone. */
    CompletableFuture<ReleaseResult> release(String token) {
        Hold hold = queue.leases().hold(token);
        Lease lease = hold == null || !hold.keeper.equals(this) ? null : hold.lease();
        return lease != null
                ? lease.releaseOnce()
                : queue.leases()
                        .lane()
                        .giveBack(new Back(queue.keys(), token, null, 0))
                        .thenApply(Met::result);
    }

    /** Takes the lock from whoever has it; false if nobody had. */
    CompletableFuture<Boolean> forceRelease() {
        Hold mine = queue.hold();
        return queue.leases().lane().force(queue.keys()).thenApply(met -> {
            if (mine != null) {
                mine.lose("it was released by force");
            }
            return met.result() instanceof ReleaseResult.Released;
        });
    }
}
