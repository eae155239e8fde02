// SPDX-License-Identifier: Apache-2.0
package dev.interlock.spring.adapter;

import dev.interlock.Interlock;
import dev.interlock.lock.Lease;
import dev.interlock.lock.LeaseLostException;
import dev.interlock.lock.LockOptions;
import java.time.Duration;
import java.util.Optional;
import net.javacrumbs.shedlock.core.AbstractSimpleLock;
import net.javacrumbs.shedlock.core.ClockProvider;
import net.javacrumbs.shedlock.core.ExtensibleLockProvider;
import net.javacrumbs.shedlock.core.LockConfiguration;
import net.javacrumbs.shedlock.core.SimpleLock;

/**
 * ShedLock on Interlock: the lock is taken without waiting, lapses after {@code lockAtMostFor}, and stays taken until
 * {@code lockAtLeastFor} is over, also if this JVM ends before. Times are counted by the clock of Redis from the moment of the
 * grant, so the clocks of the machines need not agree. It excludes the plain lock of the same name. Thread-safe.
 */
public final class InterlockLockProvider implements ExtensibleLockProvider {
    private final Interlock interlock;

    /**
     * Sends nothing before it is asked.
     *
     * @param interlock who has the locks
     */
    public InterlockLockProvider(Interlock interlock) {
        this.interlock = interlock;
    }

    @Override
    public Optional<SimpleLock> lock(LockConfiguration wanted) {
        LockOptions options = LockOptions.DEFAULTS.withoutRenewal(wanted.getLockAtMostFor());
        return interlock
                .lock(wanted.getName(), options)
                .tryAcquire()
                .map(lease -> new HeldLock(interlock, wanted, lease));
    }

    private static final class HeldLock extends AbstractSimpleLock {
        private final Interlock interlock;
        private final Lease lease;

        HeldLock(Interlock interlock, LockConfiguration wanted, Lease lease) {
            super(wanted);
            this.interlock = interlock;
            this.lease = lease;
        }

        @Override
        protected void doUnlock() {
            Duration left = Duration.between(ClockProvider.now(), lockConfiguration.getLockAtLeastUntil());
            if (left.compareTo(Duration.ofMillis(1)) < 0) {
                lease.close();
            } else {
                interlock.locks().releaseAfter(lease, Duration.ofMillis(left.toMillis()));
            }
        }

        @Override
        protected Optional<SimpleLock> doExtend(LockConfiguration wanted) {
            try {
                lease.extend(wanted.getLockAtMostFor());
                return Optional.of(new HeldLock(interlock, wanted, lease));
            } catch (LeaseLostException e) {
                return Optional.empty();
            }
        }
    }
}
