// SPDX-License-Identifier: Apache-2.0
package dev.interlock.lock;

import dev.interlock.OutcomeUnknownException;
import dev.interlock.internal.Tracking;
import dev.interlock.lock.GateLane.Answer;
import dev.interlock.lock.GateLane.Ask;
import dev.interlock.lock.GateLane.Entry;
import dev.interlock.lock.GateLane.Mode;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * What this JVM does about one semaphore or read-write lock. Who waits here stands in one line, and only the first of it asks
 * Redis, so a JVM is one waiter there however many threads it has.
 *
 * <pre>
 *  IDLE    ── somebody waits ──▶ SEEKING for the first in line
 *  SEEKING ── granted ──▶ the first has a lease; SEEKING for the next, or IDLE
 *  SEEKING ── the first left and the next asks for the same ──▶ SEEKING, the place at Redis is kept
 *  SEEKING ── the first left otherwise ──▶ the place is given up; SEEKING for the next, or IDLE
 * </pre>
 */
final class Gate {
    private final Gates gates;
    private final Leases leases;
    private final GateKeys keys;
    private final GateKeeper keeper;
    private final ReentrantLock guard = new ReentrantLock();
    private final Map<Waiter, Entry> waiters = new LinkedHashMap<>();
    private @Nullable Seek seek;

    Gate(Gates gates, Leases leases, GateKeys keys) {
        this.gates = gates;
        this.leases = leases;
        this.keys = keys;
        this.keeper = new GateKeeper(this);
    }

    Gates gates() {
        return gates;
    }

    GateLane lane() {
        return gates.lane();
    }

    GateKeys keys() {
        return keys;
    }

    Leases leases() {
        return leases;
    }

    GateKeeper keeper() {
        return keeper;
    }

    Tracking tracking() {
        return leases.engine().tracking();
    }

    /** Asks for a permit; the answer comes within the wait, or for no wait within the time of one call. */
    Waiter acquire(Entry entry, Waiter waiter) {
        waiter.whenComplete((lease, error) -> left(waiter));
        keys.kind.timed(leases.telling(), waiter);
        if (!leases.enter(waiter)) {
            return waiter;
        }
        if (waiter.waitMillis > 0) {
            waiter.deadline(leases.later(() -> expire(waiter), waiter.waitMillis));
        }
        if (waiter.waitMillis == 0 || waiter.options.waiting() == LockOptions.Waiting.BARGING) {
            attempt(entry, waiter);
        } else {
            await(entry, waiter);
        }
        return waiter;
    }

    /** One request that queues nowhere. */
    private void attempt(Entry entry, Waiter waiter) {
        LockOptions options = waiter.options;
        boolean barges = options.waiting() == LockOptions.Waiting.BARGING;
        if (!barges && somebodyWaits()) {
            waiter.complete(Optional.empty());
            return;
        }
        String token = leases.newToken();
        long sent = System.nanoTime();
        lane().ask(keys, new Ask(token, entry, options.leaseMillis(), barges ? Mode.BARGE : Mode.ONCE))
                .whenComplete((answer, thrown) -> {
                    Hold.Terms terms = new Hold.Terms(sent, options.leaseMillis(), options.renewal());
                    if (answer == null) {
                        Throwable error = LockLane.cause(thrown);
                        if (error instanceof OutcomeUnknownException) {
                            undo(token, options.leaseMillis(), true);
                        }
                        waiter.completeExceptionally(error);
                    } else if (!answer.granted() && waiter.waitMillis == 0) {
                        waiter.complete(Optional.empty());
                    } else if (!answer.granted()) {
                        await(entry, waiter);
                    } else {
                        hold(token, terms, answer, waiter);
                    }
                });
    }

    private boolean somebodyWaits() {
        guard.lock();
        try {
            return !waiters.isEmpty();
        } finally {
            guard.unlock();
        }
    }

    private void await(Entry entry, Waiter waiter) {
        Seek started;
        guard.lock();
        try {
            waiters.put(waiter, entry);
            started = nextSeek(false);
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

    /** Starts to seek for the first in line, unless that is under way; Redis may have answered for him already. */
    private @Nullable Seek nextSeek(boolean heard) {
        Iterator<Map.Entry<Waiter, Entry>> line = waiters.entrySet().iterator();
        if (seek != null || !line.hasNext()) {
            return null;
        }
        Map.Entry<Waiter, Entry> first = line.next();
        Seek started = new Seek(this, first.getValue(), first.getKey().options, heard);
        seek = started;
        return started;
    }

    /** The caller's time is over. */
    void expire(Waiter waiter) {
        Throwable failure = null;
        if (waiter.waitMillis == 0) {
            failure = noReply();
        } else {
            guard.lock();
            try {
                failure = seek == null ? null : seek.failure();
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

    OutcomeUnknownException noReply() {
        return new OutcomeUnknownException(
                keys.primitive + ": no reply came in time; what may have been granted is released in the background",
                null);
    }

    private void left(Waiter waiter) {
        leases.leave(waiter);
        waiter.cancelDeadline();
        Seek unused = null;
        Seek started = null;
        guard.lock();
        try {
            if (waiters.remove(waiter) != null && seek != null && !fitsFirst(seek)) {
                unused = seek;
                seek = null;
                started = nextSeek(unused.heard());
            }
        } finally {
            guard.unlock();
        }
        if (unused != null) {
            unused.giveUp();
        }
        if (started != null) {
            started.ask();
        }
    }

    private boolean fitsFirst(Seek current) {
        Iterator<Map.Entry<Waiter, Entry>> line = waiters.entrySet().iterator();
        if (!line.hasNext()) {
            return false;
        }
        Map.Entry<Waiter, Entry> first = line.next();
        return first.getValue().equals(current.entry) && first.getKey().options.equals(current.options);
    }

    /** A seek has got a permit. */
    void granted(Seek by, Hold.Terms terms, Answer answer) {
        Waiter first = null;
        Seek next = null;
        guard.lock();
        try {
            if (seek == by) {
                seek = null;
                first = waiters.keySet().iterator().next();
                waiters.remove(first);
                next = nextSeek(true);
            }
        } finally {
            guard.unlock();
        }
        if (first == null) {
            undo(by.token, by.options.leaseMillis(), false);
        } else {
            hold(by.token, terms, answer, first);
        }
        if (next != null) {
            next.ask();
        }
    }

    /** A seek can never get a permit. */
    void failed(Seek by, Throwable error) {
        Waiter[] all;
        guard.lock();
        try {
            if (seek != by) {
                return;
            }
            seek = null;
            all = waiters.keySet().toArray(Waiter[]::new);
            waiters.clear();
        } finally {
            guard.unlock();
        }
        for (Waiter waiter : all) {
            waiter.completeExceptionally(error);
        }
    }

    private void hold(String token, Hold.Terms terms, Answer answer, Waiter waiter) {
        if (terms.validUntilNanos() - System.nanoTime() <= 0) {
            undo(token, waiter.options.leaseMillis(), true);
            waiter.completeExceptionally(noReply());
            return;
        }
        Hold hold = new Hold(keeper, keys.name, token, new byte[][] {keys.holders, keys.queue}, terms);
        Lease lease = new Lease(leases, hold, answer.number());
        hold.handTo(lease, waiter.options);
        keeper.keep(hold);
        waiter.hand(lease, leases.engine().executor());
    }

    /** Gives back in the background what a token may hold, and its place in the queue. */
    void undo(String token, long leaseMillis, boolean doubtful) {
        Undo.start(leases, () -> lane().leave(keys, token), leaseMillis, doubtful);
    }
}
