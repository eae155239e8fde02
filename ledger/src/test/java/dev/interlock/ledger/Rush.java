// SPDX-License-Identifier: Apache-2.0
package dev.interlock.ledger;

import static org.assertj.core.api.Assertions.assertThat;

import dev.interlock.InterlockException;
import dev.interlock.pool.IssueResult;
import dev.interlock.pool.Pool;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;

/** Threads of several nodes that ask for units of one pool, and note every answer. */
final class Rush implements AutoCloseable {
    final ConcurrentMap<Long, String> acknowledged = new ConcurrentHashMap<>();
    final AtomicInteger rebuilding = new AtomicInteger();
    final AtomicInteger failures = new AtomicInteger();
    final List<Object> wrong = new ArrayList<>();
    private final AtomicBoolean stopped = new AtomicBoolean();
    private final AtomicInteger users = new AtomicInteger();
    private final List<Thread> threads = new ArrayList<>();

    Rush(Pool... nodes) {
        for (Pool node : nodes) {
            for (int i = 0; i < 4; i++) {
                Thread thread = new Thread(() -> ask(node));
                threads.add(thread);
                thread.start();
            }
        }
    }

    private void ask(Pool node) {
        while (!stopped.get()) {
            String user = "rush-" + users.incrementAndGet();
            try {
                note(user, node.issue(user, "request-" + user));
            } catch (InterlockException e) {
                failures.incrementAndGet(); // whether it happened is not known to the user either
            }
            LockSupport.parkNanos(500_000);
        }
    }

    private void note(String user, IssueResult result) {
        if (result instanceof IssueResult.Issued issued) {
            acknowledge(issued.sequence(), user);
        } else if (result instanceof IssueResult.Replayed replayed) {
            // The first answer was lost with the connection, and the call was sent again.
            acknowledge(replayed.sequence(), user);
        } else if (result instanceof IssueResult.Rebuilding) {
            rebuilding.incrementAndGet();
        } else if (!(result instanceof IssueResult.SoldOut)) {
            wrong(result);
        }
    }

    private void acknowledge(long sequence, String user) {
        String other = acknowledged.put(sequence, "request-" + user);
        if (other != null) {
            wrong(Map.of(sequence, other));
        }
    }

    private synchronized void wrong(Object what) {
        wrong.add(what);
    }

    int answers() {
        return acknowledged.size();
    }

    @Override
    public void close() {
        stopped.set(true);
        for (Thread thread : threads) {
            try {
                thread.join(30_000);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        }
        synchronized (this) {
            assertThat(wrong).as("answers that must not be").isEmpty();
        }
    }
}
