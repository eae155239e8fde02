// SPDX-License-Identifier: Apache-2.0
package dev.interlock.lock;

import dev.interlock.internal.Names;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;

/**
 * Every operation of a quorum lock, written once; the other views wait for it or wrap it.
 *
 * @param nodes the servers
 */
record QuorumCalls(QuorumNodes nodes) implements QuorumLock.Async {
    private static final long MIN_PAUSE_MILLIS = 5;
    private static final long MAX_PAUSE_MILLIS = 60;

    LockTimeoutException timeout(long waitMillis) {
        return new LockTimeoutException(
                "quorum lock " + Names.echo(nodes.name) + " was held by others for " + waitMillis + " ms");
    }

    @Override
    public CompletableFuture<QuorumLease> acquire(Duration wait) {
        long millis = LockCalls.millis(wait);
        CompletableFuture<Optional<QuorumLease>> asked = ask(millis);
        CompletableFuture<QuorumLease> lease = new CompletableFuture<>();
        lease.whenComplete((granted, error) -> asked.cancel(false));
        asked.whenComplete((found, error) -> {
            if (found == null) {
                lease.completeExceptionally(error);
            } else if (found.isEmpty()) {
                lease.completeExceptionally(timeout(millis));
            } else if (!lease.complete(found.get())) {
                found.get().releaseAsync();
            }
        });
        return lease;
    }

    @Override
    public CompletableFuture<Optional<QuorumLease>> tryAcquire() {
        return ask(0);
    }

    @Override
    public CompletableFuture<Optional<QuorumLease>> tryAcquire(Duration wait) {
        return ask(LockCalls.millis(wait));
    }

    CompletableFuture<Optional<QuorumLease>> ask(long waitMillis) {
        CompletableFuture<Optional<QuorumLease>> result = new CompletableFuture<>();
        attempt(result, System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(waitMillis));
        return result;
    }

    /** Tries until it is granted, the wait is over, or the caller has cancelled. */
    private void attempt(CompletableFuture<Optional<QuorumLease>> result, long endNanos) {
        new QuorumAttempt(nodes).start().whenComplete((found, error) -> {
            long pause = ThreadLocalRandom.current().nextLong(MIN_PAUSE_MILLIS, MAX_PAUSE_MILLIS);
            boolean again = endNanos - System.nanoTime() > TimeUnit.MILLISECONDS.toNanos(pause);
            if (found != null && found.isPresent()) {
                if (!result.complete(found)) {
                    found.get().releaseAsync();
                }
            } else if (again && !result.isDone()) {
                nodes.later(() -> attempt(result, endNanos), pause);
            } else if (error != null) {
                result.completeExceptionally(error);
            } else {
                result.complete(Optional.empty());
            }
        });
    }
}
