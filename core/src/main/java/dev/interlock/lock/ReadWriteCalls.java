// SPDX-License-Identifier: Apache-2.0
package dev.interlock.lock;

import dev.interlock.internal.Await;
import dev.interlock.internal.Names;
import dev.interlock.lock.GateLane.Entry;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;

/** A read-write lock: a gate that readers share and a writer enters alone. */
record ReadWriteCalls(Gate gate, LockOptions options) implements ReadWriteLock {
    private static final Entry SHARED = new Entry(Gates.MAX_PLACES);

    @Override
    public Permits reading() {
        return new BlockingPermits(new PermitCalls(gate, SHARED, options));
    }

    @Override
    public Permits writing() {
        return new BlockingPermits(new PermitCalls(gate, Entry.ALONE, options));
    }

    @Override
    public void downgrade(Lease lease) {
        Hold hold = own(lease);
        Await.uninterruptibly("readWriteLock.downgrade", () -> downgrade(lease, hold));
    }

    @Override
    public CompletableFuture<@Nullable Void> downgradeAsync(Lease lease) {
        return downgrade(lease, own(lease));
    }

    @Override
    public Mono<Void> downgradeReactive(Lease lease) {
        Hold hold = own(lease);
        return Mono.fromFuture(() -> downgrade(lease, hold), true).then();
    }

    @Override
    public void upgrade(Lease lease) {
        own(lease);
        throw new UnsupportedOperationException(
                "a lease that reads cannot become one that writes: two readers who both"
                        + " tried would wait for each other for ever; release it, acquire writing(), and check again what was read");
    }

    private Hold own(Lease lease) {
        if (lease.hold().keeper != gate.keeper()) {
            throw new IllegalArgumentException("the lease of " + Names.echo(lease.name())
                    + " is none of read-write lock " + Names.echo(gate.keys().name));
        }
        return lease.hold();
    }

    private CompletableFuture<@Nullable Void> downgrade(Lease lease, Hold hold) {
        if (!lease.isValid()) {
            return CompletableFuture.supplyAsync(
                    () -> {
                        lease.ensureValid();
                        return null;
                    },
                    Runnable::run);
        }
        return gate.lane().downgrade(gate.keys(), hold.token).thenApply(reads -> {
            if (!reads) {
                hold.lose("its permit was removed");
                lease.ensureValid();
            }
            return null;
        });
    }
}
