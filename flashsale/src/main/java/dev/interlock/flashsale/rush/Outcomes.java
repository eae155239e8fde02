// SPDX-License-Identifier: Apache-2.0
package dev.interlock.flashsale.rush;

import dev.interlock.flashsale.console.FailedException;
import org.jspecify.annotations.Nullable;

/** The answers that come back on threads of the library. Thread-safe. */
final class Outcomes {
    /** So many requests without an answer, each after all its tries, mean that the rest need not be tried. */
    private static final int GIVE_UP = 200;

    private final Tally tally = new Tally();
    private @Nullable Throwable lastError;
    private volatile boolean failed;
    private volatile long lastIssuedMillis;

    synchronized void add(Answer answer, Request request) {
        tally.add(answer, request.elapsedNanos());
        if (answer == Answer.ISSUED) {
            lastIssuedMillis = System.currentTimeMillis();
        }
        if (answer == Answer.UNKNOWN || answer == Answer.UNEXPECTED) {
            lastError = request.error();
            failed = tally.count(Answer.UNKNOWN) >= GIVE_UP || tally.count(Answer.UNEXPECTED) > 0;
        }
    }

    /** When a unit was last issued, in milliseconds since 1970, or 0 if none was. */
    long lastIssuedMillis() {
        return lastIssuedMillis;
    }

    boolean failed() {
        return failed;
    }

    synchronized void addTo(Tally sum) {
        sum.add(tally);
    }

    synchronized void throwFailure() {
        Throwable error = lastError;
        if (failed && error != null) {
            throw new FailedException(
                    "gave up after " + tally.count(Answer.UNKNOWN) + " requests without an answer and "
                            + tally.count(Answer.UNEXPECTED) + " with one that makes no sense, the last: "
                            + FailedException.lineOf(error) + "; check Redis and start again",
                    error);
        }
    }
}
