// SPDX-License-Identifier: Apache-2.0
package dev.interlock.spring.adapter;

import dev.interlock.Interlock;
import dev.interlock.lock.Lease;
import dev.interlock.lock.LockOptions;
import dev.interlock.lock.ThreadLock;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import org.jspecify.annotations.Nullable;
import org.springframework.integration.support.locks.DistributedLock;
import org.springframework.integration.support.locks.RenewableLockRegistry;

/**
 * Spring Integration's locks on Interlock: owned by a thread, re-entrant, renewed as long as they are held unless a time to
 * live is given. {@code unlock} throws {@link dev.interlock.lock.LeaseLostException} if the lock was lost meanwhile. The locks
 * of equal keys are equal; nothing is kept for a lock that nobody holds. Thread-safe.
 */
public final class InterlockLockRegistry implements RenewableLockRegistry<DistributedLock> {
    private final Interlock interlock;
    private final String registryKey;
    private final LockOptions options;
    private final Map<Holder, Held> held = new ConcurrentHashMap<>();

    /**
     * Sends nothing before it is asked.
     *
     * @param interlock who has the locks
     * @param registryKey first part of their names; a colon follows it
     * @param options how they are taken and kept
     */
    public InterlockLockRegistry(Interlock interlock, String registryKey, LockOptions options) {
        this.interlock = interlock;
        this.registryKey = registryKey;
        this.options = options;
    }

    @Override
    public DistributedLock obtain(Object lockKey) {
        return new RegistryLock(this, registryKey + ':' + lockKey);
    }

    @Override
    public void renewLock(Object lockKey) {
        renewLock(lockKey, options.leaseTime());
    }

    @Override
    public void renewLock(Object lockKey, Duration ttl) {
        Held mine = held.get(new Holder(Thread.currentThread(), registryKey + ':' + lockKey));
        Lease lease = mine == null ? null : mine.lock.lease().orElse(null);
        if (lease == null) {
            throw new IllegalMonitorStateException("the current thread does not hold the lock of " + lockKey);
        }
        lease.extend(ttl);
    }

    private record Holder(Thread thread, String name) {}

    private record Held(ThreadLock lock, int times) {}

    /** One way to take a thread's lock. */
    private interface Acquisition {
        boolean take(ThreadLock lock) throws InterruptedException;
    }

    private boolean take(String name, @Nullable Duration ttl, Acquisition acquisition) throws InterruptedException {
        Holder holder = new Holder(Thread.currentThread(), name);
        Held mine = held.get(holder);
        LockOptions terms = ttl == null ? options : options.withoutRenewal(ttl);
        ThreadLock lock = mine == null ? new ThreadLock(interlock.lock(name, terms)) : mine.lock;
        boolean taken = acquisition.take(lock);
        if (taken) {
            held.put(holder, new Held(lock, mine == null ? 1 : mine.times + 1));
        }
        return taken;
    }

    private void giveBack(String name) {
        Holder holder = new Holder(Thread.currentThread(), name);
        Held mine = held.get(holder);
        if (mine == null) {
            throw new IllegalMonitorStateException("the current thread does not hold the lock " + name);
        }
        if (mine.times > 1) {
            held.put(holder, new Held(mine.lock, mine.times - 1));
        } else {
            held.remove(holder);
        }
        mine.lock.unlock();
    }

    /** All that is known about it is in its registry, so that locks of equal keys are one. */
    private record RegistryLock(InterlockLockRegistry registry, String name) implements DistributedLock {
        @Override
        public void lock() {
            uninterruptibly(null);
        }

        @Override
        public void lock(Duration ttl) {
            uninterruptibly(ttl);
        }

        private void uninterruptibly(@Nullable Duration ttl) {
            try {
                registry.take(name, ttl, lock -> {
                    lock.lock();
                    return true;
                });
            } catch (InterruptedException e) {
                throw new IllegalStateException("a wait that no interrupt ends was interrupted", e);
            }
        }

        @Override
        public void lockInterruptibly() throws InterruptedException {
            registry.take(name, null, lock -> {
                lock.lockInterruptibly();
                return true;
            });
        }

        @Override
        public boolean tryLock() {
            try {
                return registry.take(name, null, ThreadLock::tryLock);
            } catch (InterruptedException e) {
                throw new IllegalStateException("an attempt that does not wait was interrupted", e);
            }
        }

        @Override
        public boolean tryLock(long time, TimeUnit unit) throws InterruptedException {
            return registry.take(name, null, lock -> lock.tryLock(time, unit));
        }

        @Override
        public boolean tryLock(Duration waitTime, Duration ttl) throws InterruptedException {
            return registry.take(name, ttl, lock -> lock.tryLock(waitTime.toMillis(), TimeUnit.MILLISECONDS));
        }

        @Override
        public void unlock() {
            registry.giveBack(name);
        }

        @Override
        public Condition newCondition() {
            throw new UnsupportedOperationException("a distributed lock has no conditions");
        }
    }
}
