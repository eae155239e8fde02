// SPDX-License-Identifier: Apache-2.0
package dev.interlock.flashsale.rush;

/** One client of the pool, connected and ready. */
interface Node extends AutoCloseable {
    /** Lets it make its requests. */
    void start();

    /** How many of its requests are handed in so far, about. */
    long progress();

    /** Whether it has made all its requests, or failed. */
    boolean ended();

    /**
     * What its clients were told, once it has ended.
     *
     * @throws dev.interlock.flashsale.console.FailedException if it failed
     */
    Outcome outcome();

    /** Ends it. */
    @Override
    void close();
}
