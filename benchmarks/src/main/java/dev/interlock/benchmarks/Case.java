// SPDX-License-Identifier: Apache-2.0
package dev.interlock.benchmarks;

import java.util.List;

/** One row of the goals: a job, and the ways to do it that are compared. */
interface Case extends AutoCloseable {
    /** What is done, for the heading. */
    String title();

    /** The ways, the one to beat first. */
    List<Contender> contenders();

    /** Port of the Redis server whose work is counted. */
    int redisPort();

    @Override
    void close();

    /** Starts the servers of a case. */
    interface Factory {
        Case start() throws Exception;
    }
}
