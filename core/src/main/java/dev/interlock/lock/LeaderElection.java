// SPDX-License-Identifier: Apache-2.0
package dev.interlock.lock;

import dev.interlock.internal.Await;
import dev.interlock.internal.Names;
import io.netty.util.Timeout;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Stands for election until it is closed: whoever has the lease of the name is the leader.
 *
 * <pre>
 *  CANDIDATE ── has the lease ──▶ LEADER: onElected
 *  LEADER    ── lease lost ──▶ onRevoked, then CANDIDATE again
 *  LEADER    ── closed ──▶ CLOSED: onRevoked, then the lease is released
 *  CANDIDATE ── closed ──▶ CLOSED
 * </pre>
 *
 * <p>Guarantees: never two leaders with a valid lease; candidates are elected in the order in which they began to stand
 * (one that waits for a day takes its place anew);
 * {@code onElected} and {@code onRevoked} alternate, one at a time. Does not guarantee that a leader has heard of its
 * revocation before another is elected, if it was paused: check {@link #isLeader()} before each step, and pass the
 * {@linkplain Lease#fence() fence} to the resource. A leader that dies is followed at the end of its lease.
 *
 * <p>Thread-safe. Its user closes it. One request at a time and a look at every 500 ms while it waits.
 */
public final class LeaderElection implements AutoCloseable {
    private static final Logger log = LoggerFactory.getLogger(LeaderElection.class);
    private static final Duration ROUND = LockOptions.MAX_TIME;
    private static final long PAUSE_MILLIS = 200;

    /** What the candidate does. Called one at a time, away from I/O threads; may block briefly. */
    public interface Candidate {
        /**
         * It leads now. Work that lasts belongs on a thread of its own.
         *
         * @param lease what makes it the leader; not to be closed by the candidate
         */
        void onElected(Lease lease);

        /** It leads no more: the lease was lost or the election closed. */
        void onRevoked();
    }

    private final DistributedLock lock;
    private final Leases leases;
    private final String name;
    private final Candidate candidate;
    private final ReentrantLock guard = new ReentrantLock();
    private final ReentrantLock telling = new ReentrantLock();
    private volatile @Nullable Lease lease;
    private @Nullable CompletableFuture<Optional<Lease>> standing;
    private @Nullable Timeout pause;
    private boolean closed;
    /** Whether the candidate was told that it leads; guarded by {@code telling}. */
    private boolean told;

    LeaderElection(DistributedLock lock, Leases leases, String name, Candidate candidate) {
        this.lock = lock;
        this.leases = leases;
        this.name = name;
        this.candidate = candidate;
    }

    /** Stands for election, unless closed. */
    void stand() {
        CompletableFuture<Optional<Lease>> asked;
        guard.lock();
        try {
            if (closed) {
                return;
            }
            asked = lock.async().tryAcquire(ROUND).toCompletableFuture();
            standing = asked;
        } finally {
            guard.unlock();
        }
        asked.whenComplete((found, error) -> {
            if (found != null && found.isPresent()) {
                elected(found.get());
            } else if (found != null) {
                stand();
            } else {
                log.debug("election {} could not be held: {}", Names.echo(name), String.valueOf(error));
                standLater();
            }
        });
    }

    private void standLater() {
        guard.lock();
        try {
            if (!closed) {
                pause = leases.later(this::stand, PAUSE_MILLIS);
            }
        } finally {
            guard.unlock();
        }
    }

    private void elected(Lease granted) {
        boolean late;
        guard.lock();
        try {
            late = closed;
            if (!late) {
                lease = granted;
            }
        } finally {
            guard.unlock();
        }
        if (late) {
            granted.releaseOnce();
            return;
        }
        leases.call(() -> {
            tell("onElected", () -> {
                if (lease == granted) {
                    told = true;
                    candidate.onElected(granted);
                }
            });
            // Only now, so that a loss is told after the election.
            granted.onLost(() -> revoked(granted));
        });
    }

    private void revoked(Lease lost) {
        boolean mine;
        guard.lock();
        try {
            mine = lease == lost;
            if (mine) {
                lease = null;
            }
        } finally {
            guard.unlock();
        }
        if (mine) {
            tell("onRevoked", this::revoke);
            stand();
        }
    }

    private void tell(String what, Runnable step) {
        telling.lock();
        try {
            step.run();
        } catch (RuntimeException e) {
            log.warn("{} of election {} failed", what, Names.echo(name), e);
        } finally {
            telling.unlock();
        }
    }

    /**
     * Which election.
     *
     * @return the name
     */
    public String name() {
        return name;
    }

    /**
     * Whether it leads at this moment, by a valid lease. Sends nothing.
     *
     * @return true for the leader
     */
    public boolean isLeader() {
        return leadership().isPresent();
    }

    /**
     * What makes it the leader. Sends nothing.
     *
     * @return the valid lease, or empty if it does not lead
     */
    public Optional<Lease> leadership() {
        Lease current = lease;
        return current != null && current.isValid() ? Optional.of(current) : Optional.empty();
    }

    /**
     * Resigns and stands no more: {@code onRevoked} first, then the lease is released, so that the next leader begins after
     * this one has stopped. Repetitions do nothing. An interrupt does not stop it.
     */
    @Override
    public void close() {
        Lease last;
        CompletableFuture<Optional<Lease>> asked;
        guard.lock();
        try {
            if (closed) {
                return;
            }
            closed = true;
            last = lease;
            lease = null;
            asked = standing;
            if (pause != null) {
                pause.cancel();
            }
        } finally {
            guard.unlock();
        }
        if (asked != null) {
            asked.cancel(false);
        }
        if (last == null) {
            return;
        }
        if (Await.onIoThread()) {
            leases.call(() -> resign(last));
        } else {
            resign(last);
        }
    }

    private void resign(Lease last) {
        tell("onRevoked", this::revoke);
        last.close();
    }

    private void revoke() {
        if (told) {
            told = false;
            candidate.onRevoked();
        }
    }
}
