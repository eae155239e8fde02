// SPDX-License-Identifier: Apache-2.0
package dev.interlock.benchmarks;

import java.util.concurrent.CompletionStage;
import java.util.function.IntPredicate;

/** One way of asking whether a user is within a limit. */
interface LimitWay extends AutoCloseable {
    /** What the table calls it. */
    String name();

    /** Asks for one unit and waits for the answer. */
    boolean take(int user);

    /** Asks for one unit. */
    CompletionStage<Boolean> takeAsync(int user);

    @Override
    void close();

    /**
     * Who asks.
     *
     * @param count how many users there are
     * @param scarce which of them have one unit a day; the others have a billion a second
     */
    record Users(int count, IntPredicate scarce) {
        static final long DAY_MICROS = 86_400_000_000L;
        static final long PLENTY = 1_000_000_000;

        static String key(int user) {
            return "user:" + user;
        }

        int of(long number) {
            return (int) (number % count);
        }
    }

    /** Opens a way to the Redis server at a port. */
    interface Opener {
        LimitWay open(int port, Users users);
    }
}
