// SPDX-License-Identifier: Apache-2.0
package dev.interlock.spring.annotation;

import dev.interlock.NotExecutedException;
import dev.interlock.lock.DistributedLock;
import dev.interlock.lock.Lease;
import java.time.Duration;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.springframework.transaction.support.TransactionSynchronizationManager;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/**
 * Runs a method under a lock. Within the transaction of a caller the lease outlives the method; see {@link HeldLease}.
 *
 * @param locks gives the lock of a name
 * @param template of the name
 * @param waitTime longest wait
 * @param leaseParameter place of the parameter that receives the lease, or -1
 */
record LockGuard(Function<String, DistributedLock> locks, NameTemplate template, Duration waitTime, int leaseParameter)
        implements Guard {
    @Override
    public @Nullable Object blocking(GuardedCall call) throws Throwable {
        String name = template.resolve(call.arguments());
        DistributedLock lock = locks.apply(name);
        if (TransactionSynchronizationManager.isSynchronizationActive()) {
            return under(call, HeldLease.ofTransaction(name, () -> acquire(lock)))
                    .proceed();
        }
        try (Lease lease = acquire(lock)) {
            return under(call, lease).proceed();
        }
    }

    private Lease acquire(DistributedLock lock) {
        try {
            return lock.acquire(waitTime);
        } catch (InterruptedException e) {
            // The method need not declare it; the flag tells the rest.
            Thread.currentThread().interrupt();
            throw new NotExecutedException("interrupted while waiting for a lock: the method did not run", e);
        }
    }

    @Override
    public Mono<Object> one(GuardedCall call) {
        String name = template.resolve(call.arguments());
        DistributedLock lock = locks.apply(name);
        Function<Lease, Mono<Object>> work = lease -> under(call, lease).one().contextWrite(LeaseCheck.of(lease));
        Mono<Object> own = lock.reactive().withLease(waitTime, work);
        if (!call.shape().reactive()) {
            return own;
        }
        return HeldLease.inTransaction()
                .flatMap(joined -> joined
                        ? HeldLease.ofReactiveTransaction(name, lock.reactive().acquire(waitTime))
                                .flatMap(work)
                        : own);
    }

    @Override
    public Flux<Object> many(GuardedCall call) {
        String name = template.resolve(call.arguments());
        DistributedLock lock = locks.apply(name);
        Function<Lease, Flux<Object>> work = lease -> under(call, lease).many().contextWrite(LeaseCheck.of(lease));
        return HeldLease.inTransaction()
                .flatMapMany(joined -> joined
                        ? HeldLease.ofReactiveTransaction(name, lock.reactive().acquire(waitTime))
                                .flatMapMany(work)
                        : lock.reactive().withLeaseMany(waitTime, work));
    }

    /** The call, with its lease where {@link LeaseCheck} and the method look for it. */
    private GuardedCall under(GuardedCall call, Lease lease) {
        if (!call.shape().reactive()) {
            call.invocation().setUserAttribute(LeaseCheck.ATTRIBUTE, lease);
        }
        return leaseParameter < 0 ? call : call.with(leaseParameter, lease);
    }
}
