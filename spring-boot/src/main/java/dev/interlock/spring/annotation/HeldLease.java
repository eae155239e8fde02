// SPDX-License-Identifier: Apache-2.0
package dev.interlock.spring.annotation;

import dev.interlock.lock.Lease;
import java.util.function.Supplier;
import org.springframework.transaction.NoTransactionException;
import org.springframework.transaction.support.TransactionSynchronization;
import org.springframework.transaction.support.TransactionSynchronizationManager;
import reactor.core.publisher.Mono;

/**
 * A lease that was acquired within a transaction: it is checked before the commit and released after the end. While the
 * transaction lasts, it covers every further call there for the same name, which would otherwise wait for itself.
 *
 * @param lockName which lock
 * @param lease the lease
 */
record HeldLease(String lockName, Lease lease) implements TransactionSynchronization {
    /** Where the transaction keeps it. */
    private record Key(String lockName) {}

    /** The lease of the transaction of this thread, acquired unless it has one. */
    static Lease ofTransaction(String name, Supplier<Lease> acquire) {
        if (TransactionSynchronizationManager.getResource(new Key(name)) instanceof Lease held) {
            held.ensureValid();
            return held;
        }
        HeldLease holder = new HeldLease(name, acquire.get());
        holder.resume();
        TransactionSynchronizationManager.registerSynchronization(holder);
        return holder.lease;
    }

    @Override
    public void suspend() {
        TransactionSynchronizationManager.unbindResource(new Key(lockName));
    }

    @Override
    public void resume() {
        TransactionSynchronizationManager.bindResource(new Key(lockName), lease);
    }

    @Override
    public void beforeCommit(boolean readOnly) {
        lease.ensureValid();
    }

    @Override
    public void afterCompletion(int status) {
        TransactionSynchronizationManager.unbindResourceIfPossible(new Key(lockName));
        lease.close();
    }

    /** Whether the subscriber is within a reactive transaction. */
    static Mono<Boolean> inTransaction() {
        return reactive().hasElement();
    }

    private static Mono<org.springframework.transaction.reactive.TransactionSynchronizationManager> reactive() {
        return org.springframework.transaction.reactive.TransactionSynchronizationManager.forCurrentTransaction()
                .filter(transaction -> transaction.isSynchronizationActive())
                .onErrorResume(NoTransactionException.class, none -> Mono.empty());
    }

    /** As {@link #ofTransaction}, for the transaction of the subscriber. */
    static Mono<Lease> ofReactiveTransaction(String name, Mono<Lease> acquire) {
        return reactive().flatMap(transaction -> {
            if (transaction.getResource(new Key(name)) instanceof Lease held) {
                held.ensureValid();
                return Mono.just(held);
            }
            return acquire.doOnNext(lease -> new Reactive(transaction, new Key(name), lease).begin());
        });
    }

    /** The same for a reactive transaction. */
    private record Reactive(
            org.springframework.transaction.reactive.TransactionSynchronizationManager transaction,
            Key key,
            Lease lease)
            implements org.springframework.transaction.reactive.TransactionSynchronization {
        void begin() {
            if (!transaction.isSynchronizationActive()) {
                // It was cancelled while the lock was waited for, so nobody else would release it.
                lease.close();
                return;
            }
            transaction.bindResource(key, lease);
            transaction.registerSynchronization(this);
        }

        @Override
        public Mono<Void> suspend() {
            return Mono.fromRunnable(() -> transaction.unbindResource(key));
        }

        @Override
        public Mono<Void> resume() {
            return Mono.fromRunnable(() -> transaction.bindResource(key, lease));
        }

        @Override
        public Mono<Void> beforeCommit(boolean readOnly) {
            return Mono.fromRunnable(lease::ensureValid);
        }

        @Override
        public Mono<Void> afterCompletion(int status) {
            transaction.unbindResourceIfPossible(key);
            // What cannot be released lapses; the transaction has ended well all the same.
            return lease.reactive().release().then().onErrorComplete();
        }
    }
}
