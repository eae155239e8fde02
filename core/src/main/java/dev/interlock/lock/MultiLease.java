// SPDX-License-Identifier: Apache-2.0
package dev.interlock.lock;

import dev.interlock.internal.Await;
import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import java.util.NoSuchElementException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * The leases of several locks that were acquired together: valid while all are. One-shot; usable from any thread; close it
 * when done.
 */
public final class MultiLease implements AutoCloseable {
    private final List<Lease> leases;

    MultiLease(List<Lease> leases) {
        this.leases = List.copyOf(leases);
    }

    /**
     * Which locks, in their canonical order.
     *
     * @return the names
     */
    public List<String> names() {
        return leases.stream().map(Lease::name).toList();
    }

    /**
     * The fence of one of the locks; each has its own, as each guards its own resource.
     *
     * @param name which lock
     * @return its fence; see {@link Lease#fence()}
     * @throws NoSuchElementException if the lock is none of these
     */
    public long fence(String name) {
        return leases.stream()
                .filter(lease -> lease.name().equals(name))
                .findFirst()
                .map(Lease::fence)
                .orElseThrow(() -> new NoSuchElementException("no lock of this lease has the name"));
    }

    /**
     * How long all are surely valid; see {@link Lease#validFor()}. Sends nothing.
     *
     * @return the shortest time left, zero if none
     */
    public Duration validFor() {
        return leases.stream()
                .map(Lease::validFor)
                .min(Comparator.naturalOrder())
                .orElse(Duration.ZERO);
    }

    /**
     * Whether all are valid now. Sends nothing.
     *
     * @return false once one was released, lost, or its time is over
     */
    public boolean isValid() {
        return leases.stream().allMatch(Lease::isValid);
    }

    /**
     * Checks that all are valid. Sends nothing.
     *
     * @throws LeaseLostException if one is not
     */
    public void ensureValid() {
        leases.forEach(Lease::ensureValid);
    }

    /**
     * Whom to tell, once, when the first of them is lost; see {@link Lease#onLost}.
     *
     * @param callback what to do; may block briefly
     */
    public void onLost(Runnable callback) {
        AtomicBoolean told = new AtomicBoolean();
        leases.forEach(lease -> lease.onLost(() -> {
            if (told.compareAndSet(false, true)) {
                callback.run();
            }
        }));
    }

    /**
     * Gives all back. An interrupt does not stop it.
     *
     * @return released if every one was still owned, else what the first other met
     * @throws dev.interlock.OutcomeUnknownException as {@link Lease#release()}, after all were tried
     */
    public ReleaseResult release() {
        return Await.uninterruptibly("multiLease.release", this::releaseAsync);
    }

    /**
     * As {@link #release()}, without waiting.
     *
     * @return what it met
     */
    public CompletableFuture<ReleaseResult> releaseAsync() {
        List<CompletableFuture<ReleaseResult>> all =
                leases.stream().map(Lease::releaseOnce).toList();
        return CompletableFuture.allOf(all.toArray(CompletableFuture[]::new))
                .thenApply(done -> all.stream()
                        .map(CompletableFuture::join)
                        .filter(met -> !(met instanceof ReleaseResult.Released))
                        .findFirst()
                        .orElse(new ReleaseResult.Released()));
    }

    /** Releases all unless that was done. Never fails; on an I/O thread it does not wait. */
    @Override
    public void close() {
        // All are on their way before the first is waited for.
        CompletableFuture<?> released = releaseAsync().exceptionally(error -> new ReleaseResult.Expired());
        if (!released.isDone() && !Await.onIoThread()) {
            Await.uninterruptibly("multiLease.close", () -> released);
        }
    }
}
