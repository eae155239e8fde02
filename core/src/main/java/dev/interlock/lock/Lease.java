// SPDX-License-Identifier: Apache-2.0
package dev.interlock.lock;

import dev.interlock.internal.Await;
import dev.interlock.internal.Bounds;
import dev.interlock.internal.Text;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import reactor.core.publisher.Mono;

/**
 * One tenure of a lock: a permit for a limited time, owned by a token and not by a thread.
 *
 * <p>Guarantees: while {@link #isValid()} is true no other lease of the name is valid, by any monotonic clock, as long as
 * Redis kept its data; {@link #fence()} is larger than that of every earlier lease of the name. Does not guarantee that the
 * lease is still valid when your next write arrives: a paused process cannot know, so let the resource refuse older fences.
 *
 * <p>One-shot; usable from any thread; close it when done. Renewed by its Interlock, if the lock's options say so, until it
 * is released, lost or the Interlock is closed.
 */
public final class Lease implements AutoCloseable {
    private static final Logger log = LoggerFactory.getLogger(Lease.class);

    private final Leases leases;
    private final Hold hold;
    private final long fence;
    private final long sinceNanos = System.nanoTime();
    private final AtomicReference<State> state = new AtomicReference<>(State.OPEN);
    private final Loss loss = new Loss();
    private volatile @Nullable String token;

    /** A lease whose token was read may be released by others, so its token is never passed on to the next holder. */
    enum State {
        OPEN,
        TOKEN_READ,
        LOST,
        RELEASED
    }

    Lease(Leases leases, Hold hold, long fence) {
        this.leases = leases;
        this.hold = hold;
        this.fence = fence;
    }

    Hold hold() {
        return hold;
    }

    /**
     * Which lock.
     *
     * @return the name
     */
    public String name() {
        return hold.name;
    }

    /**
     * The token that owns it, for {@link DistributedLock#release(String)} from another step, thread or process. Reading it
     * keeps the next waiter of this JVM from taking over without a call to Redis, so read it only if you need it.
     *
     * @return 32 hex digits
     */
    public String ownerToken() {
        String known = token;
        if (known == null) {
            boolean mine = state.compareAndSet(State.OPEN, State.TOKEN_READ) || state.get() == State.TOKEN_READ;
            // After its release the token may be another's: who asks now gets one that owns nothing.
            known = mine ? hold.token : new String(Text.token(), StandardCharsets.ISO_8859_1);
            token = known;
        }
        return known;
    }

    /**
     * Its number: larger than that of every earlier lease of the name. Pass it to the resource with each write, and have the
     * resource refuse a smaller one than it has seen.
     *
     * @return 1 to 2^53 − 1
     */
    public long fence() {
        return fence;
    }

    /**
     * How long it is surely valid, unless it is removed: by the monotonic clock, counted from before the request was sent,
     * less a margin of 1 % and 2 ms for clocks that drift. Sends nothing.
     *
     * @return the time left, zero if none
     */
    public Duration validFor() {
        return open() ? Duration.ofNanos(Math.max(0, hold.remainingNanos())) : Duration.ZERO;
    }

    /**
     * Whether it is valid now. Sends nothing.
     *
     * @return false once it was released, lost, or its time is over
     */
    public boolean isValid() {
        return open() && hold.valid();
    }

    private boolean open() {
        State now = state.get();
        return now == State.OPEN || now == State.TOKEN_READ;
    }

    /**
     * Checks that it is valid. Sends nothing.
     *
     * @throws LeaseLostException if it is not
     */
    public void ensureValid() {
        ensureValid(Duration.ZERO);
    }

    /**
     * Checks that it will be valid for a while, for example as long as the next step may take. Sends nothing.
     *
     * @param margin how long, zero to 1 day
     * @throws LeaseLostException if it is not valid for that long
     * @throws IllegalArgumentException if the margin lies outside
     */
    public void ensureValid(Duration margin) {
        LockOptions.waitMillis("margin", margin);
        Duration left = validFor();
        if (left.isZero() || left.compareTo(margin) < 0) {
            throw failure(left);
        }
    }

    private LeaseLostException failure(Duration left) {
        String because = loss.reason();
        if (state.get() == State.RELEASED) {
            because = "it was released";
        } else if (because == null) {
            because = left.isZero() ? "its time is over" : "it is sure for another " + left.toMillis() + " ms only";
        }
        return new LeaseLostException(hold.what() + " is not valid: " + because);
    }

    /**
     * Has it last at least so long from now; never shortens it. One script call.
     *
     * @param time 10 ms to 1 day
     * @throws LeaseLostException if it was lost before
     * @throws IllegalArgumentException if the time lies outside
     */
    public void extend(Duration time) {
        long millis = extensionMillis(time);
        Await.uninterruptibly("lease.extend", () -> extendMillis(millis));
    }

    private static long extensionMillis(Duration time) {
        return Bounds.millis("time", time, LockOptions.MIN_LEASE_TIME, LockOptions.MAX_TIME);
    }

    private CompletableFuture<@Nullable Void> extendMillis(long millis) {
        if (!open()) {
            return CompletableFuture.failedFuture(failure(Duration.ZERO));
        }
        return leases.renewals().extend(hold, millis).thenApply(extended -> {
            if (!extended) {
                throw failure(Duration.ZERO);
            }
            return null;
        });
    }

    /**
     * Gives it back, once: only if its token still owns the lock. After this no renewal is sent. One script call, or none
     * when a waiter of this JVM takes over. An interrupt does not stop it.
     *
     * @return what it met; a second release answers {@link ReleaseResult.Expired}
     * @throws dev.interlock.OutcomeUnknownException if no reply came; it is tried again in the background, and lapses at the
     *     latest after its lease time
     * @throws dev.interlock.NotExecutedException if Redis could not be reached; likewise
     */
    public ReleaseResult release() {
        return Await.uninterruptibly("lease.release", this::releaseOnce);
    }

    CompletableFuture<ReleaseResult> releaseOnce() {
        State before = end();
        return before == State.RELEASED
                ? CompletableFuture.completedFuture(new ReleaseResult.Expired())
                : hold.keeper.release(this, before);
    }

    State end() {
        return hold.keeper.kind().released(leases.telling(), state.getAndSet(State.RELEASED), sinceNanos);
    }

    /**
     * Releases it unless that was done. Never fails: work that is done stays done, and what could not be released lapses; use
     * {@link #release()} to be told. On an I/O thread it does not wait.
     */
    @Override
    public void close() {
        CompletableFuture<?> released = releaseQuietly();
        if (!released.isDone() && !Await.onIoThread()) {
            Await.uninterruptibly("lease.close", () -> released);
        }
    }

    private CompletableFuture<ReleaseResult> releaseQuietly() {
        return releaseOnce().exceptionally(error -> {
            log.warn("a lease could not be released and will lapse by itself: {}", error.toString());
            return new ReleaseResult.Expired();
        });
    }

    /** As {@link #close()}. */
    Mono<?> closed() {
        return Mono.fromFuture(this::releaseQuietly, true);
    }

    /**
     * Whom to tell, once, when it is lost: usually within 100 ms of the removal of its key, at the latest when its time is
     * over. Told at once if it is lost already; never after a release. Callbacks run on a few threads of the Interlock: they
     * may block briefly.
     *
     * @param callback what to do, for example interrupt the work
     */
    public void onLost(Runnable callback) {
        if (!loss.add(callback)) {
            leases.call(callback);
        }
    }

    void lost(String reason) {
        State before = state.getAndUpdate(now -> now == State.RELEASED ? now : State.LOST);
        if (before != State.RELEASED && before != State.LOST) {
            loss.tell(reason, leases::call);
            hold.keeper.kind().ended(leases.telling(), "lost", sinceNanos);
        }
    }

    /**
     * Extension and release without waiting.
     *
     * @return the asynchronous view
     */
    public Async async() {
        return new Async(this);
    }

    /**
     * Extension and release for Reactor; nothing is sent before subscription.
     *
     * @return the reactive view
     */
    public Reactive reactive() {
        return new Reactive(this);
    }

    /**
     * As the {@link Lease}; stages complete on I/O threads.
     *
     * @param lease the lease
     */
    public record Async(Lease lease) {
        /** As {@link Lease#extend(Duration)}. */
        public CompletionStage<@Nullable Void> extend(Duration time) {
            return lease.extendMillis(extensionMillis(time));
        }

        /** As {@link Lease#release()}. */
        public CompletionStage<ReleaseResult> release() {
            return lease.releaseOnce();
        }
    }

    /**
     * As the {@link Lease}; each subscription is one call.
     *
     * @param lease the lease
     */
    public record Reactive(Lease lease) {
        /** As {@link Lease#extend(Duration)}. */
        public Mono<Void> extend(Duration time) {
            long millis = extensionMillis(time);
            return Mono.fromFuture(() -> lease.extendMillis(millis), true).then();
        }

        /** As {@link Lease#release()}. */
        public Mono<ReleaseResult> release() {
            return Mono.fromFuture(lease::releaseOnce, true);
        }
    }
}
