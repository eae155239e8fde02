// SPDX-License-Identifier: Apache-2.0
package dev.interlock.flashsale.serve.live;

import dev.interlock.OutcomeUnknownException;
import dev.interlock.flashsale.serve.decision.Decisions;
import dev.interlock.flashsale.serve.decision.Outcome;
import dev.interlock.flashsale.serve.sale.Sale;
import dev.interlock.pool.IssueResult;
import dev.interlock.pool.Pool;
import java.time.Instant;
import java.util.concurrent.CompletionException;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.LongAdder;
import org.jspecify.annotations.Nullable;

/** Many users who ask for a coupon as fast as this process lets them, with a bounded number in flight. Used once. */
final class Rush implements Runnable {
    private static final int WINDOW = 1_000;
    /** Then something is wrong, and more of the same helps nobody. */
    private static final int MAX_FAILURES = 1_000;

    private final long id;
    private final Sale sale;
    private final RushRequest request;
    private final Pool.Async pool;
    private final Decisions decisions;
    private final Instant startedAt = Instant.now();
    private final Semaphore free = new Semaphore(WINDOW);
    private final LongAdder done = new LongAdder();
    private final LongAdder issued = new LongAdder();
    private final LongAdder failures = new LongAdder();
    private volatile boolean stopped;
    private volatile @Nullable Instant endedAt;

    Rush(long id, Sale sale, RushRequest request, Pool.Async pool, Decisions decisions) {
        this.id = id;
        this.sale = sale;
        this.request = request;
        this.pool = pool;
        this.decisions = decisions;
    }

    void start() {
        Thread thread = new Thread(this, "rush-" + id);
        thread.setDaemon(true);
        thread.start();
    }

    void stop() {
        stopped = true;
    }

    boolean running() {
        return endedAt == null;
    }

    RushView view() {
        Instant ended = endedAt;
        return new RushView(
                id, sale.id(), state(ended), request.requests(), done.sum(), issued.sum(), startedAt, ended);
    }

    private String state(@Nullable Instant ended) {
        if (ended == null) {
            return "running";
        }
        if (failures.sum() >= MAX_FAILURES) {
            return "failed";
        }
        return stopped ? "stopped" : "done";
    }

    @Override
    public void run() {
        try {
            for (long i = 0; i < request.requests() && !stopped && failures.sum() < MAX_FAILURES; i++) {
                free.acquireUninterruptibly();
                ask("rush-" + id + "-user-" + i % request.users(), "rush-" + id + '-' + i);
            }
            free.acquireUninterruptibly(WINDOW);
        } finally {
            endedAt = Instant.now();
        }
    }

    private void ask(String user, String requestId) {
        long start = System.nanoTime();
        pool.issue(user, requestId).whenComplete((result, error) -> {
            Outcome outcome = result == null ? outcome(error) : outcome(result);
            decisions.add(outcome, System.nanoTime() - start);
            done.increment();
            if (outcome == Outcome.ISSUED) {
                issued.increment();
            } else if (outcome == Outcome.UNKNOWN || outcome == Outcome.UNAVAILABLE) {
                failures.increment();
            }
            free.release();
        });
    }

    private static Outcome outcome(Throwable error) {
        Throwable cause = error instanceof CompletionException && error.getCause() != null ? error.getCause() : error;
        return cause instanceof OutcomeUnknownException ? Outcome.UNKNOWN : Outcome.UNAVAILABLE;
    }

    private static Outcome outcome(IssueResult result) {
        if (result instanceof IssueResult.Issued) {
            return Outcome.ISSUED;
        }
        if (result instanceof IssueResult.Replayed) {
            return Outcome.REPLAYED;
        }
        if (result instanceof IssueResult.AlreadyIssued) {
            return Outcome.ALREADY_ISSUED;
        }
        if (result instanceof IssueResult.SoldOut) {
            return Outcome.SOLD_OUT;
        }
        if (result instanceof IssueResult.Closed) {
            return Outcome.CLOSED;
        }
        return result instanceof IssueResult.NotOpen ? Outcome.NOT_OPEN : Outcome.UNAVAILABLE;
    }
}
