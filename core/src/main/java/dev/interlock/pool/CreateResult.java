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
}
