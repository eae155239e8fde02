// SPDX-License-Identifier: Apache-2.0
package dev.interlock.lock;

import dev.interlock.OutcomeUnknownException;
import dev.interlock.lock.LockLane.Answer;
import dev.interlock.lock.LockLane.Mode;
import org.jspecify.annotations.Nullable;

/** One request by one caller that queues nowhere. */
final class Attempt {
    private final LockQueue queue;
    private final Waiter waiter;
    private final String token;
    private final long sentNanos = System.nanoTime();

    Attempt(LockQueue queue, Waiter waiter) {
        this.queue = queue;
        this.waiter = waiter;
        token = queue.leases().newToken();
    }

    void send() {
        LockOptions options = waiter.options;
        Mode mode = options.waiting() == LockOptions.Waiting.BARGING ? Mode.BARGE : Mode.ONCE;
        queue.leases()
                .lane()
                .ask(new LockLane.Ask(queue.keys(), token, options.leaseMillis(), mode))
                .whenComplete(this::answered);
    }

    private void answered(@Nullable Answer answer, @Nullable Throwable thrown) {
        LockOptions options = waiter.options;
        Hold.Terms terms = new Hold.Terms(sentNanos, options.leaseMillis(), options.renewal());
        if (answer == null) {
            Throwable error = LockLane.cause(thrown);
            fail(error, error instanceof OutcomeUnknownException);
        } else if (!answer.granted()) {
            queue.refused(waiter);
        } else if (terms.over()) {
            fail(LockQueue.noReply(), true);
        } else {
            queue.hold(token, terms, answer, waiter);
        }
    }

    private void fail(Throwable error, boolean doubtful) {
        if (doubtful) {
            Undo.start(queue.leases(), queue.keys(), token, waiter.options.leaseMillis(), true);
        }
        waiter.completeExceptionally(error);
    }
}
