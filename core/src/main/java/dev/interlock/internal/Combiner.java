// SPDX-License-Identifier: Apache-2.0
package dev.interlock.internal;

import dev.interlock.BackPressureException;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BiPredicate;
import java.util.function.Function;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * Lets concurrent requests of one key group share script calls. A few lanes each have one call in flight: a request that
 * finds an idle lane goes out at once, alone; while all lanes are busy requests collect, and the next lane that comes back
 * takes up to a batch of them, oldest first. No timer and no added latency; a request cancelled before it is sent is left
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
    private final Queue<Pending<Q, A>> waiting = new ConcurrentLinkedQueue<>();
    private final AtomicInteger waitingCount = new AtomicInteger();
    private final AtomicInteger idleLanes;

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
        if (waitingCount.incrementAndGet() > capacity) {
            waitingCount.decrementAndGet();
            pending.completeExceptionally(new BackPressureException(
                    "more than " + capacity + " requests wait in this JVM for one key group; this one was not sent"));
            return pending;
        }
        waiting.add(pending);
        sendWaiting();
        return pending;
    }

    /**
     * Answers all requests that wait, without sending them.
     *
     * @param answer gives the answer to a request
     */
    public void answerWaiting(Function<Q, A> answer) {
        for (Pending<Q, A> next = waiting.poll(); next != null; next = waiting.poll()) {
            waitingCount.decrementAndGet();
            next.complete(answer.apply(next.request));
        }
    }

    /** Keeps every idle lane busy while requests wait. */
    private void sendWaiting() {
        while (!waiting.isEmpty() && takeLane()) {
            List<Pending<Q, A>> batch = nextBatch();
            if (batch.isEmpty()) {
                idleLanes.incrementAndGet();
            } else {
                send(batch);
            }
        }
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

    private List<Pending<Q, A>> nextBatch() {
        List<Pending<Q, A>> batch = new ArrayList<>();
        Pending<Q, A> last = null;
        int unlike = 0;
        while (batch.size() < batches.most() && unlike < batches.mostUnlike()) {
            Pending<Q, A> next = waiting.poll();
            if (next == null) {
                break;
            }
            waitingCount.decrementAndGet();
            if (!next.isDone()) {
                batch.add(next);
                unlike += last != null && batches.alike().test(last.request, next.request) ? 0 : 1;
                last = next;
            }
        }
        return batch;
    }

    private void send(List<Pending<Q, A>> batch) {
        List<Q> requests = new ArrayList<>(batch.size());
        for (Pending<Q, A> pending : batch) {
            requests.add(pending.request);
        }
        CompletionStage<List<A>> answers;
        try {
            answers = call.apply(requests);
        } catch (RuntimeException e) {
            answers = CompletableFuture.failedFuture(e);
        }
        answers.whenComplete((list, error) -> {
            // The next batch goes out first, so that Redis works while this one's callers are told.
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

    private static final class Pending<Q, A> extends CompletableFuture<A> {
        final Q request;

        Pending(Q request) {
            this.request = request;
        }
    }
}
