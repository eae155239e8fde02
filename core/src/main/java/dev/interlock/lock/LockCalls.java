// SPDX-License-Identifier: Apache-2.0
package dev.interlock.lock;

import dev.interlock.internal.Names;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Every operation of a lock, written once; the other views wait for it or wrap it.
 *
 * @param queue what this JVM does about the lock
 * @param options how it is taken and kept
 * @param wanted which acknowledgement a grant needs, or null for none
 */
record LockCalls(LockQueue queue, LockOptions options, Acknowledgement.@Nullable Wanted wanted)
        implements DistributedLock.Async {
    private static final Pattern TOKEN = Pattern.compile("[0-9a-f]{32}");

    /** A wait in milliseconds, checked. */
    static long millis(Duration wait) {
        return LockOptions.waitMillis("wait", wait);
    }

    static String token(String ownerToken) {
        if (ownerToken == null || !TOKEN.matcher(ownerToken).matches()) {
            throw new IllegalArgumentException("ownerToken must be 32 hex digits, as Lease.ownerToken() gives them");
        }
        return ownerToken;
    }

    LockCalls(LockQueue queue, LockOptions options) {
        this(queue, options, null);
    }

    Waiter ask(long waitMillis, boolean blocking) {
        Waiter granted = queue.acquire(options, waitMillis, blocking && wanted == null);
        return wanted == null ? granted : confirmed(granted, wanted, blocking);
    }

    /** The same wait, ending when a grant is acknowledged too. */
    private Waiter confirmed(Waiter granted, Acknowledgement.Wanted needed, boolean blocking) {
        Waiter confirmed = new Waiter(options, granted.waitMillis, blocking);
        confirmed.whenComplete((lease, error) -> granted.cancel(false));
        granted.whenComplete((found, error) -> {
            if (found == null) {
                confirmed.completeExceptionally(error);
            } else if (found.isEmpty()) {
                confirmed.complete(found);
            } else {
                Lease lease = found.get();
                needed.confirm(queue.keys(), lease).whenComplete((done, failure) -> {
                    if (failure == null) {
                        confirmed.hand(lease, queue.leases().engine().executor());
                    } else {
                        lease.releaseOnce()
                                .whenComplete(
                                        (met, ignored) -> confirmed.completeExceptionally(LockLane.cause(failure)));
                    }
                });
            }
        });
        return confirmed;
    }

    /** How long a thread waits for its answer: as long as its caller says, or for one attempt as long as a call may take. */
    long patienceMillis(long waitMillis) {
        long confirming = wanted == null ? 0 : wanted.timeoutMillis();
        return waitMillis > 0 ? waitMillis : queue.leases().patienceMillis() + confirming;
    }

    void expire(Waiter waiter) {
        queue.expire(waiter);
    }

    LockTimeoutException timeout(long waitMillis) {
        return new LockTimeoutException(
                "lock " + Names.echo(queue.keys().name) + " was held by others for " + waitMillis + " ms");
    }

    @Override
    public CompletableFuture<Lease> acquire(Duration wait) {
        return acquire(millis(wait));
    }

    CompletableFuture<Lease> acquire(long waitMillis) {
        return ask(waitMillis, false).required(() -> timeout(waitMillis));
    }

    @Override
    public Waiter tryAcquire() {
        return ask(0, false);
    }

    @Override
    public Waiter tryAcquire(Duration wait) {
        return ask(millis(wait), false);
    }

    @Override
    public CompletableFuture<ReleaseResult> release(String ownerToken) {
        return queue.keeper().release(token(ownerToken));
    }

    @Override
    public CompletableFuture<Boolean> forceRelease() {
        return queue.keeper().forceRelease();
    }

    @Override
    public CompletableFuture<Optional<LockOwner>> owner() {
        return queue.leases().lane().owner(queue.keys()).thenApply(Optional::ofNullable);
    }
}
