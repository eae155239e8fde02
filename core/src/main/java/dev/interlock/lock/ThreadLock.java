// SPDX-License-Identifier: Apache-2.0
package dev.interlock.lock;

import dev.interlock.internal.Await;
import java.time.Duration;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.Lock;
import org.jspecify.annotations.Nullable;

/**
 * A {@link DistributedLock} as a {@link Lock}, for code that knows only that interface: owned by a thread, re-entrant within
 * this object. Two objects of the same name exclude each other, also within one thread.
 *
 * <p>Guarantees what {@link Lock} documents, and the exclusion of {@link DistributedLock}, with its limits: a lease may be
 * lost while the thread believes that it holds the lock. Then {@link #unlock()} throws {@link LeaseLostException} after it
 * has given up the lock, and so does a nested acquire; {@link #lease()} tells before, and has the fence for the resource.
 * Conditions are not supported. Works on virtual threads without pinning them; refused on I/O threads.
 *
 * <p>All acquiring methods may throw {@link dev.interlock.NotExecutedException} or
 * {@link dev.interlock.OutcomeUnknownException} if Redis cannot be reached; the lock is not held then. Thread-safe.
 */
public final class ThreadLock implements Lock {
    /** Longer waits are made of several. */
    private static final Duration ROUND = LockOptions.MAX_TIME;

    private final DistributedLock lock;
    /** One entry, and one more for each owner that has lost its lease and does not know. Each is used by its thread only. */
    private final Map<Thread, Tenure> tenures = new ConcurrentHashMap<>();

    private static final class Tenure {
        final Lease lease;
        int holds = 1;

        Tenure(Lease lease) {
            this.lease = lease;
        }
    }

    /**
     * Wraps a lock.
     *
     * @param lock the lock; a renewed lease suits best, as the holder's time is not known
     */
    public ThreadLock(DistributedLock lock) {
        this.lock = Objects.requireNonNull(lock, "lock");
    }

    /**
     * Acquires it, waiting as long as need be. An interrupt does not stop it and is kept.
     *
     * @throws LeaseLostException if this thread holds it and has lost its lease
     */
    @Override
    public void lock() {
        if (enterAgain()) {
            return;
        }
        boolean held;
        do {
            held = begin(Await.uninterruptibly("lock", () -> lock.async().tryAcquire(ROUND)));
        } while (!held);
    }

    /**
     * Acquires it, waiting until it is free or the thread is interrupted.
     *
     * @throws InterruptedException if the thread was interrupted before or while it waited; its flag is cleared
     * @throws LeaseLostException if this thread holds it and has lost its lease
     */
    @Override
    public void lockInterruptibly() throws InterruptedException {
        refuseInterrupted();
        if (enterAgain()) {
            return;
        }
        boolean held;
        do {
            held = begin(lock.tryAcquire(ROUND));
        } while (!held);
    }

    private static void refuseInterrupted() throws InterruptedException {
        if (Thread.interrupted()) {
            throw new InterruptedException("interrupted before the lock was asked for");
        }
    }

    /**
     * Acquires it if it is free now.
     *
     * @return whether it is held now
     * @throws LeaseLostException if this thread holds it and has lost its lease
     */
    @Override
    public boolean tryLock() {
        return enterAgain() || begin(lock.tryAcquire());
    }

    /**
     * Acquires it, waiting so long at most; zero or less is one attempt.
     *
     * @param time longest wait
     * @param unit of the wait
     * @return whether it is held now
     * @throws InterruptedException as {@link #lockInterruptibly()}
     * @throws LeaseLostException if this thread holds it and has lost its lease
     */
    @Override
    public boolean tryLock(long time, TimeUnit unit) throws InterruptedException {
        long begin = System.nanoTime();
        long nanos = unit.toNanos(time);
        refuseInterrupted();
        if (enterAgain()) {
            return true;
        }
        for (long left = nanos; ; left = nanos - (System.nanoTime() - begin)) {
            long millis = Math.min(ROUND.toMillis(), TimeUnit.NANOSECONDS.toMillis(Math.max(0, left)));
            if (begin(lock.tryAcquire(Duration.ofMillis(millis)))) {
                return true;
            } else if (millis < ROUND.toMillis()) {
                return false;
            }
        }
    }

    /**
     * Gives up one hold, and the lock with the last one. An interrupt does not stop it.
     *
     * @throws IllegalMonitorStateException if this thread does not hold it; nothing changed
     * @throws LeaseLostException if the lease was lost before: the lock is given up, but what it protected was not protected
     *     to the end
     */
    @Override
    public void unlock() {
        Tenure mine = mine();
        if (mine == null) {
            throw new IllegalMonitorStateException("the current thread does not hold the lock");
        }
        mine.holds--;
        if (mine.holds > 0) {
            return;
        }
        tenures.remove(Thread.currentThread());
        ReleaseResult result = mine.lease.release();
        if (!(result instanceof ReleaseResult.Released)) {
            throw new LeaseLostException(
                    "the lock " + mine.lease.name() + " was lost before it was unlocked: " + result);
        }
    }

    /**
     * Not supported.
     *
     * @throws UnsupportedOperationException always
     */
    @Override
    public Condition newCondition() {
        throw new UnsupportedOperationException(
                "a distributed lock has no conditions: waiters may be in other processes;"
                        + " poll, or wait for a message");
    }

    /**
     * What this thread holds.
     *
     * @return its lease, which it must not release, or empty
     */
    public Optional<Lease> lease() {
        Tenure mine = mine();
        return mine == null ? Optional.empty() : Optional.of(mine.lease);
    }

    private @Nullable Tenure mine() {
        return tenures.get(Thread.currentThread());
    }

    private boolean enterAgain() {
        Tenure mine = mine();
        if (mine == null) {
            return false;
        }
        mine.lease.ensureValid();
        mine.holds = Math.incrementExact(mine.holds);
        return true;
    }

    private boolean begin(Optional<Lease> granted) {
        granted.ifPresent(lease -> tenures.put(Thread.currentThread(), new Tenure(lease)));
        return granted.isPresent();
    }
}
