// SPDX-License-Identifier: Apache-2.0
package dev.interlock.lock;

import dev.interlock.internal.Bounds;
import dev.interlock.internal.Names;
import io.lettuce.core.cluster.SlotHash;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;

/**
 * Every operation of a multi-lock, written once; the other views wait for it or wrap it.
 *
 * @param leases what all leases share
 * @param queues the locks in canonical order
 * @param options how they are taken and kept
 */
record MultiCalls(Leases leases, List<LockQueue> queues, LockOptions options) implements MultiLock.Async {
    private static final int MAX_LOCKS = 64;

    static MultiLock of(
            Leases leases, LockOptions options, Collection<String> names, Function<String, LockQueue> queue) {
        Bounds.range("number of names", names.size(), 1, MAX_LOCKS);
        TreeSet<String> ordered = new TreeSet<>();
        for (String name : names) {
            if (!ordered.add(Names.name("lock", name))) {
                throw new IllegalArgumentException("names must differ, but one occurs twice: " + Names.echo(name));
            }
        }
        return new BlockingMultiLock(
                new MultiCalls(leases, ordered.stream().map(queue).toList(), options));
    }

    boolean oneNode() {
        return !leases.engine().cluster()
                || queues.stream()
                                .mapToInt(queue -> SlotHash.getSlot(queue.keys().lock))
                                .distinct()
                                .count()
                        == 1;
    }

    LockTimeoutException timeout(long waitMillis) {
        List<String> names =
                queues.stream().map(queue -> Names.echo(queue.keys().name)).toList();
        return new LockTimeoutException("one of the locks " + names + " was held by others for " + waitMillis + " ms");
    }

    @Override
    public CompletableFuture<MultiLease> acquire(Duration wait) {
        return acquire(LockCalls.millis(wait));
    }

    CompletableFuture<MultiLease> acquire(long waitMillis) {
        CompletableFuture<Optional<MultiLease>> asked = ask(waitMillis);
        CompletableFuture<MultiLease> lease = new CompletableFuture<>();
        lease.whenComplete((granted, error) -> asked.cancel(false));
        asked.whenComplete((found, error) -> {
            if (found == null) {
                lease.completeExceptionally(error);
            } else if (found.isEmpty()) {
                lease.completeExceptionally(timeout(waitMillis));
            } else if (!lease.complete(found.get())) {
                found.get().releaseAsync();
            }
        });
        return lease;
    }

    @Override
    public CompletableFuture<Optional<MultiLease>> tryAcquire() {
        return ask(0);
    }

    @Override
    public CompletableFuture<Optional<MultiLease>> tryAcquire(Duration wait) {
        return ask(LockCalls.millis(wait));
    }

    CompletableFuture<Optional<MultiLease>> ask(long waitMillis) {
        CompletableFuture<Optional<MultiLease>> result = new CompletableFuture<>();
        long endNanos = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(waitMillis);
        if (!oneNode()) {
            new LockRow(this, result, endNanos).next();
            return result;
        }
        new MultiAttempt(this).send().whenComplete((granted, error) -> {
            if (granted == null) {
                result.completeExceptionally(LockLane.cause(error));
            } else if (granted.isPresent()) {
                if (!result.complete(granted)) {
                    granted.get().releaseAsync();
                }
            } else if (waitMillis == 0) {
                result.complete(granted);
            } else {
                new LockRow(this, result, endNanos).next();
            }
        });
        return result;
    }
}
