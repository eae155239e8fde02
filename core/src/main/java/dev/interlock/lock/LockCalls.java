// SPDX-License-Identifier: Apache-2.0
package dev.interlock.lock;

import dev.interlock.internal.Names;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.regex.Pattern;

/**
 * Every operation of a lock, written once; the other views wait for it or wrap it.
 *
 * @param queue what this JVM does about the lock
 * @param options how it is taken and kept
 */
record LockCalls(LockQueue queue, LockOptions options) implements DistributedLock.Async {
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

    Waiter ask(long waitMillis, boolean blocking) {
        return queue.acquire(options, waitMillis, blocking);
    }

    /** How long a thread waits for its answer: as long as its caller says, or for one attempt as long as a call may take. */
    long patienceMillis(long waitMillis) {
        return waitMillis > 0 ? waitMillis : queue.leases().patienceMillis();
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
