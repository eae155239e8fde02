// SPDX-License-Identifier: Apache-2.0
package dev.interlock.lock;

import dev.interlock.NotExecutedException;
import dev.interlock.Operation;
import dev.interlock.OutcomeUnknownException;
import dev.interlock.lock.LockLane.Answer;
import dev.interlock.lock.LockLane.Mode;
import io.netty.util.Timeout;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * The one request of this JVM for one lock, on behalf of all who wait for it here. It asks, is queued at Redis, shows there
 * that it lives, and has three ways to learn that it is its turn: a push, the end of the holder's lease, a look at every beat.
 *
 * <pre>
 *  ASKING ── granted ─────────────────────────────────────────▶ DONE: the queue hands the lock on
 *  ASKING ── refused, or no answer ──▶ RESTING ── beat due, lease of the holder over ──▶ ASKING
 *  ASKING | RESTING ── push: yours since after the last answer ─▶ DONE: likewise, confirmed by a renewal
 *  ASKING | RESTING ── nobody waits any more ─────────────────▶ DONE: undone once no request is under way
 * </pre>
 */
final class Claim {
    private static final long MIN_PAUSE_MILLIS = 20;
    private static final long FIRST_SPIN_MILLIS = 2;
    private static final long MAX_SPIN_MILLIS = 200;
    /** With less left of a hand-over lease it is confirmed before anybody gets it. */
    private static final long ENOUGH_NANOS = 100_000_000;

    final String token;
    final LockOptions options;
    private final LockQueue queue;
    private final Leases leases;
    private final ReentrantLock guard = new ReentrantLock();

    private boolean asking;
    private boolean done;
    private boolean givenUp;
    private boolean queued;
    private boolean doubtful;
    private volatile @Nullable Hold handedOn;
    private long spinMillis = FIRST_SPIN_MILLIS;
    private long failures;
    /** What was granted by push was granted after this. */
    private long sinceNanos;

    private boolean answered;
    private @Nullable Throwable failure;
    private @Nullable Timeout next;

    Claim(LockQueue queue, Leases leases, LockOptions options) {
        this.queue = queue;
        this.leases = leases;
        this.token = leases.newToken();
        this.options = options;
    }

    private boolean spins() {
        return options.waiting() == LockOptions.Waiting.SPIN;
    }

    /** Asks Redis, unless it does so already. */
    void ask() {
        if (begin()) {
            long sent = System.nanoTime();
            Mode mode = spins() ? Mode.ONCE : Mode.QUEUE;
            leases.lane()
                    .ask(new LockLane.Ask(queue.keys(), token, options.leaseMillis(), mode))
                    .whenComplete((answer, error) -> answered(sent, answer, error));
        }
    }

    /** Whether a release is to put it into the queue at Redis; then that is its request under way. */
    boolean inherits() {
        return !spins() && begin();
    }

    private boolean begin() {
        guard.lock();
        try {
            if (done || asking) {
                return false;
            }
            asking = true;
            if (sinceNanos == 0) {
                sinceNanos = System.nanoTime();
            }
        } finally {
            guard.unlock();
        }
        if (!spins()) {
            leases.listen(queue.keys(), token, queue);
        }
        return true;
    }

    /** The request under way has ended. */
    void answered(long sentNanos, @Nullable Answer answer, @Nullable Throwable thrown) {
        Throwable error = answer == null ? LockLane.cause(thrown) : null;
        Hold.Terms terms = new Hold.Terms(sentNanos, options.leaseMillis(), options.renewal());
        boolean granted = answer != null && answer.granted() && !terms.over();
        boolean late;
        guard.lock();
        try {
            asking = false;
            late = done;
            done |= granted;
            note(sentNanos, answer, error);
        } finally {
            guard.unlock();
        }
        if (late) {
            Hold hold = handedOn;
            if (givenUp) {
                undo();
            } else if (hold != null && !hold.held()) {
                // It may have queued or granted a dead token. Not before the release was answered: an undo that
                // overtakes it
                // would make it look like a loss. While it is held, the answer is of a repetition that changed nothing.
                hold.gone.thenRun(this::undo);
            }
        } else if (answer != null && granted) {
            leases.stopListening(token);
            queue.granted(this, terms, answer, false);
        } else if (error != null
                && !(error instanceof NotExecutedException)
                && !(error instanceof OutcomeUnknownException)) {
            giveUp();
            queue.failed(this, error);
        } else {
            // A grant whose time was over when its reply came is asked for again.
            rest(answer == null || answer.granted() ? 0 : answer.number());
        }
    }

    private void note(long sentNanos, @Nullable Answer answer, @Nullable Throwable error) {
        if (answer != null) {
            failures = 0;
            failure = null;
            answered = true;
            queued |= !spins();
            if (!answer.granted()) {
                sinceNanos = sentNanos;
            }
        } else {
            failures++;
            failure = error;
            doubtful |= error instanceof OutcomeUnknownException;
        }
    }

    private void rest(long remainingMillis) {
        long millis;
        guard.lock();
        try {
            if (done) {
                return;
            }
            if (spins() || failures > 0) {
                millis = spinMillis / 2 + ThreadLocalRandom.current().nextLong(spinMillis);
                spinMillis = Math.min(MAX_SPIN_MILLIS, spinMillis * 2);
            } else {
                spinMillis = FIRST_SPIN_MILLIS;
                millis = Math.min(LockLane.BEAT_MILLIS, Math.max(MIN_PAUSE_MILLIS, remainingMillis + 1));
            }
            next = leases.later(this::ask, millis);
        } finally {
            guard.unlock();
        }
    }

    /** A push says that the token owns the lock. */
    void handedOver(Answer answer) {
        Hold.Terms terms;
        guard.lock();
        try {
            if (done) {
                return;
            }
            terms = new Hold.Terms(sinceNanos, LockLane.HANDOVER_MILLIS, options.renewal());
            done = terms.validUntilNanos() - System.nanoTime() > ENOUGH_NANOS;
            cancelNext();
        } finally {
            guard.unlock();
        }
        if (done) {
            leases.stopListening(token);
            handedOn = queue.granted(this, terms, answer, true);
            if (handedOn != null) {
                leases.telling().ended(Operation.LOCK_HANDOVER, "remote", 0);
            }
        } else {
            ask();
        }
    }

    /** Nobody waits any more. */
    void giveUp() {
        boolean undo;
        guard.lock();
        try {
            if (done) {
                return;
            }
            done = true;
            givenUp = true;
            undo = !asking && (queued || doubtful);
            cancelNext();
        } finally {
            guard.unlock();
        }
        leases.stopListening(token);
        if (undo) {
            undo();
        }
    }

    private void cancelNext() {
        if (next != null) {
            next.cancel();
        }
    }

    private void undo() {
        Undo.start(leases, queue.keys(), token, options.leaseMillis(), doubtful);
    }

    /** Why a wait that ends now got no answer; null if Redis says that another owns the lock. */
    @Nullable
    Throwable failure() {
        guard.lock();
        try {
            return answered || failure != null ? failure : LockQueue.noReply();
        } finally {
            guard.unlock();
        }
    }
}
