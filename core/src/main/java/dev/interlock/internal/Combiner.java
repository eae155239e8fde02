// SPDX-License-Identifier: Apache-2.0
package dev.interlock.internal;

import dev.interlock.BackPressureException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.BiPredicate;
import java.util.function.Function;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * Lets concurrent requests of one key group share script calls. A few lanes each have one call in flight. A request that
 * finds all lanes idle goes out at once, alone. While calls are in flight requests collect: an idle lane takes them as soon
 * as they are as many as those in flight, or when no call is in flight any more; up to a batch, oldest first. No timer, and
 * nobody waits longer for an idle lane than for a reply that is under way; a request cancelled before it is sent is left
 * out. Bounded: beyond the capacity a request is refused with {@link BackPressureException}. Thread-safe.
 *
 * @param <Q> request
 * @param <A> answer
 */
public final class Combiner<Q, A> {
    private final Function<List<Q>, ? extends CompletionStage<List<A>>> call;
    private final UnaryOperator<A> check;
    private final Batches<Q> batches;
    private final int capacity;
    /** A stack that needs one atomic step a request; who takes all of it turns it over. */
    private final AtomicReference<@Nullable Pending<Q, A>> newest = new AtomicReference<>();

    private final Ordered ordered = new Ordered();
    private final AtomicInteger idleLanes;
    private final AtomicInteger inFlight = new AtomicInteger();

    /**
     * Creates a combiner.
     *
     * @param lanes calls in flight at once, at least 1
     * @param maxBatch most requests in one call, at least 1
     * @param capacity most requests that wait, at least 1
     * @param call sends a batch; its answers stand in the order of the requests
     */
    public Combiner(int lanes, int maxBatch, int capacity, Function<List<Q>, ? extends CompletionStage<List<A>>> call) {
        this(lanes, maxBatch, capacity, call, answer -> answer);
    }

    /**
     * Creates a combiner whose calls can fail for some requests of a batch.
     *
     * @param lanes calls in flight at once, at least 1
     * @param maxBatch most requests in one call, at least 1
     * @param capacity most requests that wait, at least 1
     * @param call sends a batch; its answers stand in the order of the requests
     * @param check throws what fails the one request that an answer belongs to
     */
    public Combiner(
            int lanes,
            int maxBatch,
            int capacity,
            Function<List<Q>, ? extends CompletionStage<List<A>>> call,
            UnaryOperator<A> check) {
        this(new Batches<>(lanes, maxBatch, maxBatch, (one, next) -> false), capacity, call, check);
    }

    /**
     * Creates a combiner of requests that cost next to nothing if they are like the one before them.
     *
     * @param batches how large calls may be
     * @param capacity most requests that wait, at least 1
     * @param call sends a batch; its answers stand in the order of the requests
     * @param check throws what fails the one request that an answer belongs to
     */
    public Combiner(
            Batches<Q> batches,
            int capacity,
            Function<List<Q>, ? extends CompletionStage<List<A>>> call,
            UnaryOperator<A> check) {
        this.check = check;
        this.call = call;
        this.batches = batches;
        this.capacity = capacity;
        this.idleLanes = new AtomicInteger(batches.lanes());
    }

    /**
     * How large calls may be.
     *
     * @param lanes calls in flight at once, at least 1
     * @param most most requests in one call, at least 1
     * @param mostUnlike most requests in one call that are not like the one before them, at least 1
     * @param alike whether the second request is like the first, which came just before it
     * @param <R> request
     */
    public record Batches<R>(int lanes, int most, int mostUnlike, BiPredicate<R, R> alike) {}

    /**
     * Hands in one request. Its answer, or the failure of the call that carried it, completes the future, on an I/O thread.
     *
     * @param request the request, already validated
     * @return its answer
     */
    public CompletableFuture<A> submit(Q request) {
        Pending<Q, A> pending = new Pending<>(request);
        Pending<Q, A> top;
        do {
            top = newest.get();
            pending.link = top;
            pending.place = top == null ? 1 : top.place + 1;
            if (pending.place + ordered.count() > capacity) {
                pending.completeExceptionally(new BackPressureException("more than " + capacity
                        + " requests wait in this JVM for one key group; this one was not sent"));
                return pending;
            }
        } while (!newest.compareAndSet(top, pending));
        sendWaiting();
        return pending;
    }

    /**
     * Answers all requests that wait, without sending them.
     *
     * @param answer gives the answer to a request
     */
    public void answerWaiting(Function<Q, A> answer) {
        for (Pending<Q, A> next = ordered.poll(); next != null; next = ordered.poll()) {
            next.complete(answer.apply(next.request));
        }
    }

    /** Keeps every idle lane busy while requests wait. */
    private void sendWaiting() {
        while (enoughWait() && takeLane()) {
            List<Pending<Q, A>> batch = ordered.next();
            if (batch.isEmpty()) {
                idleLanes.incrementAndGet();
            } else {
                send(batch);
            }
        }
    }

    /**
     * Whether as many wait as are in flight. So a few requests go out at once, and many do not split into calls of a few:
     * those would cost Redis and the I/O thread more than they spare the callers.
     */
    private boolean enoughWait() {
        Pending<Q, A> top = newest.get();
        int waiting = ordered.count() + (top == null ? 0 : top.place);
        return waiting > 0 && waiting >= inFlight.get();
    }

    private boolean takeLane() {
        int idle = idleLanes.get();
        while (idle > 0) {
            if (idleLanes.compareAndSet(idle, idle - 1)) {
                return true;
            }
            idle = idleLanes.get();
        }
        return false;
    }

    private void send(List<Pending<Q, A>> batch) {
        List<Q> requests = new ArrayList<>(batch.size());
        for (Pending<Q, A> pending : batch) {
            requests.add(pending.request);
        }
        inFlight.addAndGet(batch.size());
        CompletionStage<List<A>> answers;
        try {
            answers = call.apply(requests);
        } catch (RuntimeException e) {
            answers = CompletableFuture.failedFuture(e);
        }
        answers.whenComplete((list, error) -> {
            // The next batch goes out first, so that Redis works while this one's callers are told.
            inFlight.addAndGet(-batch.size());
            idleLanes.incrementAndGet();
            sendWaiting();
            answer(batch, list, error);
        });
    }

    private void answer(List<Pending<Q, A>> batch, @Nullable List<A> answers, @Nullable Throwable error) {
        for (int i = 0; i < batch.size(); i++) {
            if (error != null) {
                batch.get(i).completeExceptionally(Failures.unwrap(error));
            } else if (answers != null) {
                complete(batch.get(i), answers.get(i));
            }
        }
    }

    private void complete(Pending<Q, A> pending, A answer) {
        try {
            pending.complete(check.apply(answer));
        } catch (RuntimeException e) {
            pending.completeExceptionally(e);
        }
    }

    /** The requests that were taken off the stack of new ones, oldest first. */
    private final class Ordered {
        private @Nullable Pending<Q, A> oldest;
        private volatile int count;

        /** How many there are; only near enough while they change. */
        int count() {
            return count;
        }

        synchronized @Nullable Pending<Q, A> poll() {
            Pending<Q, A> first = pollFirst();
            count = oldest == null ? 0 : oldest.place;
            return first;
        }

        /** The next batch; empty if others were faster. */
        synchronized List<Pending<Q, A>> next() {
            List<Pending<Q, A>> batch = new ArrayList<>();
            Pending<Q, A> last = null;
            int unlike = 0;
            while (batch.size() < batches.most() && unlike < batches.mostUnlike()) {
                Pending<Q, A> next = pollFirst();
                if (next == null) {
                    break;
                }
                if (!next.isDone()) {
                    batch.add(next);
                    unlike += last != null && batches.alike().test(last.request, next.request) ? 0 : 1;
                    last = next;
                }
            }
            count = oldest == null ? 0 : oldest.place;
            return batch;
        }

        private @Nullable Pending<Q, A> pollFirst() {
            if (oldest == null) {
                turn(newest.getAndSet(null));
            }
            Pending<Q, A> first = oldest;
            if (first != null) {
                oldest = first.link;
                first.link = null;
            }
            return first;
        }

        /** From newest first to oldest first; the place becomes the number of those that are left. */
        private void turn(@Nullable Pending<Q, A> top) {
            int left = 0;
            for (Pending<Q, A> each = top; each != null; ) {
                Pending<Q, A> next = each.link;
                each.link = oldest;
                each.place = ++left;
                oldest = each;
                each = next;
            }
        }
    }

    /** A request that waits, and a link of the stack of new requests or of the ordered ones. */
    private static final class Pending<Q, A> extends CompletableFuture<A> {
        final Q request;

        /** The one that came before it; once it is ordered, the one that came after it. */
        @Nullable
        Pending<Q, A> link;
        /** How many wait up to it; once it is ordered, how many from it on. */
        int place;

        Pending(Q request) {
            this.request = request;
        }
    }
}
