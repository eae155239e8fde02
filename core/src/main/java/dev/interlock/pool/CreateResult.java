// SPDX-License-Identifier: Apache-2.0
package dev.interlock.pool;

/** What {@link Pool#create(PoolConfig)} did. */
public sealed interface CreateResult {
    /** The pool was created and its creation is the first event of its outbox. */
    record Created() implements CreateResult {}

    /**
     * The pool exists already. Nothing changed, whatever its configuration is.
     *
     * @param state what it is like now
     */
    record Exists(PoolState state) implements CreateResult {}

    /**
     * A pool of this name was dropped, and the epoch of the new one is not higher. Nothing changed.
     *
     * @param epoch life of the pool that was dropped
     */
    record Dropped(long epoch) implements CreateResult {}
}
