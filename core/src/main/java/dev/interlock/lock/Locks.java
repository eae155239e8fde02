// SPDX-License-Identifier: Apache-2.0
package dev.interlock.lock;

import dev.interlock.internal.Bounds;
import dev.interlock.internal.Names;
import dev.interlock.lock.GateLane.Entry;

/**
 * The lock family beyond the plain lock. Made by {@link dev.interlock.Interlock}. What it gives out is stateless and cheap,
 * nothing is sent before it is used. Thread-safe.
 */
public final class Locks {
    private final Leases leases;
    private final Gates gates;

    private Locks(Leases leases) {
        this.leases = leases;
        this.gates = new Gates(leases);
    }

    /**
     * Made by {@link dev.interlock.Interlock}.
     *
     * @param leases what its leases share
     * @return its lock family
     */
    public static Locks create(Leases leases) {
        return new Locks(leases);
    }

    /**
     * A semaphore.
     *
     * @param name name of the semaphore, 1 to 512 bytes of UTF-8
     * @param permits how many there are, 1 to 1,000,000; the same for all callers
     * @param options how a permit is taken and kept
     * @return its permits
     * @throws IllegalArgumentException if a value breaks a rule
     */
    public Permits semaphore(String name, int permits, LockOptions options) {
        Names.name("semaphore", name);
        Bounds.range("permits", permits, 1, Gates.MAX_PLACES);
        return new BlockingPermits(new PermitCalls(gates.gate("semaphore", name, options), new Entry(permits), options));
    }

    /**
     * A read-write lock with the default options: leases of 30 s that are renewed, first come, first served.
     *
     * @param name name of the lock, 1 to 512 bytes of UTF-8
     * @return the lock
     * @throws IllegalArgumentException if the name breaks a rule
     */
    public ReadWriteLock readWriteLock(String name) {
        return readWriteLock(name, LockOptions.DEFAULTS);
    }

    /**
     * A read-write lock.
     *
     * @param name name of the lock, 1 to 512 bytes of UTF-8
     * @param options how it is taken and kept
     * @return the lock
     * @throws IllegalArgumentException if the name breaks a rule
     */
    public ReadWriteLock readWriteLock(String name, LockOptions options) {
        Names.name("readWriteLock", name);
        return new ReadWriteCalls(gates.gate("rwlock", name, options), options);
    }
}
