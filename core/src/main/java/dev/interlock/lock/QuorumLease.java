// SPDX-License-Identifier: Apache-2.0
package dev.interlock.lock;

import dev.interlock.internal.Await;
import dev.interlock.internal.Names;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One tenure of a {@link QuorumLock}. One-shot; usable from any thread; close it when done. Renewed, if the options say so,
 * until it is released or lost: by the elapsed monotonic time, or because a majority says that another has its vote.
 */
public final class QuorumLease implements AutoCloseable {
    private static final Logger log = LoggerFactory.getLogger(QuorumLease.class);
    private static final long MIN_PAUSE_MILLIS = 20;

    private final QuorumNodes nodes;
    private final String token;
    private final long fence;
    private final AtomicReference<State> state = new AtomicReference<>(State.HELD);
    private final Loss loss = new Loss();
    private volatile long validUntilNanos;

    private enum State {
        HELD,
        LOST,
        RELEASED
    }

    QuorumLease(QuorumNodes nodes, String token, long fence, Hold.Terms terms) {
        this.nodes = nodes;
        this.token = token;
        this.fence = fence;
        validUntilNanos = terms.validUntilNanos();
        if (terms.renewed()) {
            nodes.later(this::renew, terms.leaseMillis() / 3);
        }
        watchEnd();
    }

    /**
     * Which lock.
     *
     * @return the name
     */
    public String name() {
        return nodes.name;
    }

    /**
     * Its number, larger than that of every earlier lease of the name; see {@link Lease#fence()}.
     *
     * @return 1 to 2^53 − 1
     */
    public long fence() {
        return fence;
    }

    /**
     * How long it is surely valid, by the monotonic clock; see {@link Lease#validFor()}. Sends nothing.
     *
     * @return the time left, zero if none
     */
    public Duration validFor() {
        return state.get() == State.HELD
                ? Duration.ofNanos(Math.max(0, validUntilNanos - System.nanoTime()))
                : Duration.ZERO;
    }

    /**
     * Whether it is valid now. Sends nothing.
     *
     * @return false once it was released, lost, or its time is over
     */
    public boolean isValid() {
        return !validFor().isZero();
    }

    /**
     * Checks that it is valid. Sends nothing.
     *
     * @throws LeaseLostException if it is not
     */
    public void ensureValid() {
        if (!isValid()) {
            String because = loss.reason();
            throw new LeaseLostException("the quorum lease of " + Names.echo(nodes.name) + " is not valid: "
                    + (state.get() == State.RELEASED
                            ? "it was released"
                            : because == null ? "its time is over" : because));
        }
    }

    /**
     * Whom to tell, once, when it is lost; at once if it is lost already, never after a release.
     *
     * @param callback what to do; may block briefly
     */
    public void onLost(Runnable callback) {
        if (!loss.add(callback)) {
            nodes.call(callback);
        }
    }

    private void lose(String reason) {
        if (state.compareAndSet(State.HELD, State.LOST)) {
            loss.tell(reason, nodes::call);
            nodes.release(token);
        }
    }

    private void watchEnd() {
        long left = validUntilNanos - System.nanoTime();
        if (left <= 0) {
            lose("its time was over and no renewal had come through");
        } else if (state.get() == State.HELD) {
            nodes.later(this::watchEnd, TimeUnit.NANOSECONDS.toMillis(left) + 1);
        }
    }

    private void renew() {
        if (!isValid()) {
            return;
        }
        long leaseMillis = nodes.options.leaseMillis();
        Hold.Terms terms = new Hold.Terms(System.nanoTime(), leaseMillis, true);
        nodes.renew(token).thenAccept(said -> {
            if (said.yes() >= nodes.majority()) {
                validUntilNanos = Math.max(validUntilNanos, terms.validUntilNanos());
                nodes.later(this::renew, leaseMillis / 3);
            } else if (said.no() >= nodes.majority()) {
                lose("a majority of its nodes removed it or gave it to another");
            } else {
                nodes.later(this::renew, Math.max(MIN_PAUSE_MILLIS, leaseMillis / 10));
            }
        });
    }

    /**
     * Gives it back on all nodes, once; in the background where a node does not answer. After this no renewal is sent. Waits
     * for a majority, at most one node time-out. An interrupt does not stop it.
     *
     * @return released, or expired if it was lost or released before or no majority had it
     */
    public ReleaseResult release() {
        return Await.uninterruptibly("quorumLease.release", this::releaseAsync);
    }

    /**
     * As {@link #release()}, without waiting.
     *
     * @return what it met
     */
    public CompletableFuture<ReleaseResult> releaseAsync() {
        if (state.getAndSet(State.RELEASED) != State.HELD) {
            return CompletableFuture.completedFuture(new ReleaseResult.Expired());
        }
        return nodes.release(token)
                .thenApply(said ->
                        said.yes() >= nodes.majority() ? new ReleaseResult.Released() : new ReleaseResult.Expired());
    }

    /** Releases it unless that was done. Never fails; on an I/O thread it does not wait. */
    @Override
    public void close() {
        CompletableFuture<ReleaseResult> released = releaseAsync();
        if (!released.isDone() && !Await.onIoThread()) {
            ReleaseResult met = Await.uninterruptibly("quorumLease.close", () -> released);
            log.debug("the quorum lease of {} was closed: {}", Names.echo(nodes.name), met);
        }
    }
}
