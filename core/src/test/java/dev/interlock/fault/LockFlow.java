// SPDX-License-Identifier: Apache-2.0
package dev.interlock.fault;

import dev.interlock.lock.DistributedLock;
import dev.interlock.lock.Lease;
import dev.interlock.lock.LockOptions;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/** Takes a lock, uses what it protects, gives it back. */
final class LockFlow extends Flow {
    static final LockOptions OPTIONS = LockOptions.DEFAULTS.withLeaseTime(Duration.ofSeconds(1));

    private static final long WORK_NANOS = TimeUnit.MILLISECONDS.toNanos(2);

    private final DistributedLock lock;
    private final Resource resource;
    private final Duration wait;

    LockFlow(String name, DistributedLock lock, Resource resource, Duration timeout) {
        super(name);
        this.wait = timeout.multipliedBy(2);
        this.lock = lock;
        this.resource = resource;
    }

    @Override
    String ask(String requestId) {
        long asked = System.nanoTime();
        Lease lease = tryAcquire();
        if (lease == null) {
            return "";
        }
        try (lease) {
            long granted = System.nanoTime();
            boolean written = resource.write(lease.ownerToken(), lease.fence());
            LockSupport.parkNanos(WORK_NANOS);
            long until = System.nanoTime();
            if (written && lease.isValid()) {
                resource.used(new Resource.Use(lease.ownerToken(), lease.fence(), asked, granted, until));
            }
            return written ? "fence " + lease.fence() : "";
        }
    }

    private Lease tryAcquire() {
        try {
            return lock.tryAcquire(wait).orElse(null);
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    @Override
    void verify(boolean lossless) {
        resource.verify(lossless);
    }
}
