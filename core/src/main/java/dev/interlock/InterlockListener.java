// SPDX-License-Identifier: Apache-2.0
package dev.interlock;

/**
 * Told about every script call and every operation, for metrics. Implement what you need; every method does nothing by default.
 *
 * <p>Methods are called on I/O threads: they must return at once and not block. What they throw is logged and dropped.
 *
 * <p>Script names are few and fixed, so they are safe as a metric tag; keys and users never appear here.
 */
public interface InterlockListener {
    /** Listens to nothing; the default. */
    InterlockListener NONE = new InterlockListener() {};

    /** How one script call ended. */
    enum Outcome {
        /** Redis answered. */
        DONE,
        /** The script ended with an error. */
        SCRIPT_ERROR,
        /** Surely not executed. */
        NOT_EXECUTED,
        /** Refused by a server that runs another script. */
        BUSY,
        /** Sent, but the reply is missing. */
        UNKNOWN
    }

    /**
     * One script call ended.
     *
     * @param script name of the script
     * @param outcome how it ended
     * @param nanos time from the call to its end, in nanoseconds, with all attempts
     */
    default void scriptCompleted(String script, Outcome outcome, long nanos) {}

    /**
     * A node did not know a script, so it was loaded there.
     *
     * @param script name of the script
     */
    default void scriptReloaded(String script) {}

    /**
     * A call was sent again, after a lost reply that its request id makes harmless or because it was surely not executed.
     *
     * @param script name of the script
     */
    default void scriptResent(String script) {}

    /**
     * A call was refused because its keys belong to different slots.
     *
     * @param script name of the script
     */
    default void crossSlotRefused(String script) {}

    /** Told how one operation ended whose start was told. */
    @FunctionalInterface
    interface Ending {
        /** Does nothing. */
        Ending NONE = outcome -> {};

        /**
         * It ended.
         *
         * @param outcome how: one of its {@link Operation#outcomes()}
         */
        void ended(String outcome);
    }

    /**
     * One {@linkplain Operation#timed() timed} operation starts that somebody asked for; holds are told at their end only.
     * For traces: unlike all other methods this one is called on the thread of the caller.
     *
     * @param operation which
     * @return whom to tell of its end, which is told to {@link #operationEnded} too
     */
    default Ending operationStarted(Operation operation) {
        return Ending.NONE;
    }

    /**
     * One operation of a primitive ended, or one event in its life took place.
     *
     * @param operation which
     * @param outcome how it ended: one of its {@link Operation#outcomes()}
     * @param nanos time it took, in nanoseconds; 0 if the operation is only counted
     */
    default void operationEnded(Operation operation, String outcome, long nanos) {}

    /**
     * Redis did not answer a limiter in time, so its outage policy answers until {@link #limiterBack}.
     *
     * @param limiter name of the limiter
     */
    default void limiterAway(String limiter) {}

    /**
     * Redis answers a limiter again.
     *
     * @param limiter name of the limiter
     */
    default void limiterBack(String limiter) {}
}
