// SPDX-License-Identifier: Apache-2.0
package dev.interlock.lock;

import dev.interlock.NotExecutedException;
import dev.interlock.OutcomeUnknownException;
import dev.interlock.lock.GateLane.Answer;
import dev.interlock.lock.GateLane.Ask;
import dev.interlock.lock.GateLane.Entry;
import dev.interlock.lock.GateLane.Mode;
import io.netty.util.Timeout;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * The one request of this JVM for a permit, on behalf of the first in line. It is queued at Redis, shows there that it lives,
 * and has three ways to learn that it is its turn: a push, the end of the next lease, a look at every beat.
 *
 * <pre>
 *  ASKING  ── granted ──▶ DONE
 *  ASKING  ── refused, or no answer ──▶ RESTING ── push, beat due, a lease is over ──▶ ASKING
 *  ASKING  ── push ──▶ ASKING, and once more after the answer
 *  ASKING | RESTING ── nobody wants it any more ──▶ DONE: undone once no request is under way
 * </pre>
 */
final class Seek {
    private static final long MIN_PAUSE_MILLIS = 10;
    private static final long FIRST_SPIN_MILLIS = 2;
    private static final long MAX_SPIN_MILLIS = 200;

    final String token;
    final Entry entry;
    final LockOptions options;
    private final Gate gate;
    private final ReentrantLock guard = new ReentrantLock();

    private boolean asking;
    private boolean woken;
    private boolean done;
    private boolean doubtful;
    private boolean answered;
    private boolean heard;
    private long spinMillis = FIRST_SPIN_MILLIS;
    private @Nullable Throwable failure;
    private @Nullable Timeout next;

    Seek(Gate gate, Entry entry, LockOptions options, boolean heard) {
        this.gate = gate;
        this.token = gate.leases().newToken();
        this.entry = entry;
        this.options = options;
        this.heard = heard;
    }

    private boolean spins() {
        return options.waiting() == LockOptions.Waiting.SPIN;
    }

    /** Asks Redis now, or again as soon as the request under way has ended. */
    void ask() {
        guard.lock();
        try {
            if (done || asking) {
                woken = true;
                return;
            }
            asking = true;
            woken = false;
            if (next != null) {
                next.cancel();
            }
        } finally {
            guard.unlock();
        }
        if (!spins()) {
            gate.gates().listen(gate.keys(), token, this::ask);
        }
        long sent = System.nanoTime();
        gate.lane()
                .ask(gate.keys(), new Ask(token, entry, options.leaseMillis(), spins() ? Mode.ONCE : Mode.QUEUE))
                .whenComplete((answer, error) -> answered(sent, answer, error == null ? null : LockLane.cause(error)));
    }

    private void answered(long sentNanos, @Nullable Answer answer, @Nullable Throwable error) {
        boolean late;
        guard.lock();
        try {
            asking = false;
            late = done;
            answered |= answer != null;
            heard |= answer != null;
            failure = error;
            doubtful |= error instanceof OutcomeUnknownException;
            done |= answer != null && answer.granted();
        } finally {
            guard.unlock();
        }
        if (late) {
            undo();
        } else if (answer != null && answer.granted()) {
            gate.gates().stopListening(token);
            gate.granted(this, new Hold.Terms(sentNanos, options.leaseMillis(), options.renewal()), answer);
        } else if (error != null
                && !(error instanceof NotExecutedException)
                && !(error instanceof OutcomeUnknownException)) {
            giveUp();
            gate.failed(this, error);
        } else {
            rest(answer == null ? 0 : answer.number());
        }
    }

    private void rest(long remainingMillis) {
        guard.lock();
        try {
            if (done) {
                return;
            }
            long millis;
            if (spins() || failure != null) {
                millis = spinMillis / 2 + ThreadLocalRandom.current().nextLong(spinMillis);
                spinMillis = Math.min(MAX_SPIN_MILLIS, spinMillis * 2);
            } else {
                spinMillis = FIRST_SPIN_MILLIS;
                millis = Math.min(GateLane.BEAT_MILLIS, Math.max(MIN_PAUSE_MILLIS, remainingMillis + 1));
            }
            next = gate.leases().later(this::ask, woken ? 0 : millis);
        } finally {
            guard.unlock();
        }
    }

    /** Nobody wants it any more. */
    void giveUp() {
        boolean undo;
        guard.lock();
        try {
            if (done) {
                return;
            }
            done = true;
            undo = !asking && (answered || doubtful);
            if (next != null) {
                next.cancel();
            }
        } finally {
            guard.unlock();
        }
        gate.gates().stopListening(token);
        if (undo) {
            undo();
        }
    }

    private void undo() {
        gate.undo(token, options.leaseMillis(), doubtful);
    }

    /** Why a wait that ends now got no answer; null if Redis says that there is no room. */
    @Nullable
    Throwable failure() {
        guard.lock();
        try {
            return heard || failure != null ? failure : gate.noReply();
        } finally {
            guard.unlock();
        }
    }

    /** Whether Redis has said that there is no room, to this one or to one before it. */
    boolean heard() {
        guard.lock();
        try {
            return heard;
        } finally {
            guard.unlock();
        }
    }
}
