// SPDX-License-Identifier: Apache-2.0
package dev.interlock.flashsale.rush;

import dev.interlock.pool.Pool;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Makes the requests of one node with few threads and a bounded number in flight. Each thread hands in every n-th request
 * of the workload. Used once.
 */
final class Load {
    /** Requests in flight in one node. */
    static final int WINDOW = 1_000;

    private static final int PROGRESS_STEP = 1 << 10;

    /** Which part of the requests: this one of so many nodes. */
    record Share(int node, int nodes) {}

    private final Workload workload;
    private final Share share;
    private final Pool.Async pool;
    private final Claims claims;
    private final Outcomes outcomes = new Outcomes();
    private final List<Worker> workers = new ArrayList<>();

    Load(Workload workload, Share share, Pool pool, int threads) {
        this.workload = workload;
        this.share = share;
        this.pool = pool.async();
        this.claims = new Claims(workload.coupons());
        for (int i = 0; i < threads; i++) {
            workers.add(new Worker(i, threads));
        }
    }

    /** How many requests were handed in so far, about. */
    long progress() {
        return workers.stream().mapToLong(worker -> worker.handedIn.get()).sum();
    }

    /**
     * Makes all requests and waits for their answers.
     *
     * @throws dev.interlock.flashsale.console.FailedException if Redis stops answering
     */
    Outcome run() throws InterruptedException {
        long start = System.nanoTime();
        workers.forEach(Thread::start);
        Tally tally = new Tally();
        for (Worker worker : workers) {
            worker.join();
            tally.add(worker.local);
        }
        outcomes.addTo(tally);
        outcomes.throwFailure();
        return new Outcome(tally, claims, System.nanoTime() - start, outcomes.lastIssuedMillis());
    }

    private final class Worker extends Thread implements Request.Client {
        private final int first;
        private final int step;
        private final int window;
        private final Semaphore free;
        private final Tally local = new Tally();
        private final AtomicLong handedIn = new AtomicLong();

        Worker(int index, int threads) {
            super("rush-" + index);
            setDaemon(true);
            first = share.node() + index * share.nodes();
            step = share.nodes() * threads;
            window = Math.max(1, WINDOW / threads);
            free = new Semaphore(window);
        }

        @Override
        public void run() {
            long count = 0;
            for (long i = first; i < workload.requests() && !outcomes.failed(); i += step) {
                free.acquireUninterruptibly();
                new Request(pool, this, workload.call((int) i)).send();
                if (++count % PROGRESS_STEP == 0) {
                    handedIn.lazySet(count);
                }
            }
            free.acquireUninterruptibly(window);
            handedIn.set(count);
        }

        /** Most answers come at once, on this thread, because the pool is sold out: they need no lock. */
        @Override
        public void answered(Request request, Answer answer, long sequence) {
            if (sequence != 0) {
                claims.add(sequence, request.user());
            }
            if (answer == Answer.SOLD_OUT && Thread.currentThread() == this) {
                local.add(answer, request.elapsedNanos());
            } else {
                outcomes.add(answer, request);
            }
            free.release();
        }
    }
}
