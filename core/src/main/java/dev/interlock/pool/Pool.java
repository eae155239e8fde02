// SPDX-License-Identifier: Apache-2.0
package dev.interlock.pool;

import dev.interlock.internal.Engine;
import java.util.Optional;
import java.util.concurrent.CompletionStage;
import reactor.core.publisher.Mono;

/**
 * Units of which each goes to one user and is recorded: coupons of a campaign, pieces of a product.
 *
 * <p>Guarantees: never more units are issued than there are, never more to one user than the limit; the event of every
 * change is written by the script that makes it; a request that is repeated gets its first unit again, also after the pool
 * is empty or closed. Does not guarantee that an answer survives the loss of Redis' memory: that depends on its persistence
 * and on how far a recorder has got.
 *
 * <p>Thread-safe; nothing to close. Concurrent calls share script calls; cost per unit O(1). All methods that ask Redis
 * throw {@link dev.interlock.NotExecutedException} (surely nothing happened), {@link dev.interlock.OutcomeUnknownException}
 * (ask again with the same request id) or {@link dev.interlock.CorruptStateException} (nothing happened).
 */
public interface Pool {
    /**
     * Creates the pool unless it exists.
     *
     * @param config its units, limit and times
     * @return created, or what is there already
     */
    CreateResult create(PoolConfig config);

    /**
     * Issues one unit to a user. The checks come in this order: this request, this user, opening times, units left. So who
     * has won and asks again never hears "sold out".
     *
     * @param userId who, 1 to 512 bytes of UTF-8, kept as it is
     * @param requestId which request, 1 to 128 bytes of UTF-8; use the same one to ask again after a lost answer
     * @return the decision; all but {@link IssueResult.Issued} changed nothing
     * @throws IllegalArgumentException before anything is sent, if an id breaks a rule
     */
    IssueResult issue(String userId, String requestId);

    /**
     * Reads the pool's state.
     *
     * @return the state, or empty if there is no such pool
     */
    Optional<PoolState> state();

    /**
     * Units that are set aside for a while.
     *
     * @return the pool's holds; nothing is sent
     */
    Holds holds();

    /**
     * What the keeper of the pool does: restock, adjust, revoke, change the times, delete.
     *
     * @return the control; nothing is sent
     */
    PoolControl control();

    /**
     * The events that wait to be recorded.
     *
     * @return a reader of its own; close it
     */
    Outbox outbox();

    /**
     * The same operations without waiting.
     *
     * @return the asynchronous view
     */
    Async async();

    /**
     * The same operations for Reactor; nothing is sent before subscription.
     *
     * @return the reactive view
     */
    Reactive reactive();

    /**
     * Made by {@link dev.interlock.Interlock#pool(String)}.
     *
     * @param engine runtime resources
     * @param name checked name
     * @return the pool
     */
    static Pool create(Engine engine, String name) {
        return new BlockingPool(name, new PoolCalls(engine, name, Shard.ONLY));
    }

    /** As {@link Pool}; stages complete on I/O threads, so what depends on them must not block. */
    interface Async {
        /** As {@link Pool#create(PoolConfig)}. */
        CompletionStage<CreateResult> create(PoolConfig config);

        /** As {@link Pool#issue(String, String)}. */
        CompletionStage<IssueResult> issue(String userId, String requestId);

        /** As {@link Pool#state()}. */
        CompletionStage<Optional<PoolState>> state();
    }

    /** As {@link Pool}; each subscription is one call. */
    interface Reactive {
        /** As {@link Pool#create(PoolConfig)}. */
        Mono<CreateResult> create(PoolConfig config);

        /** As {@link Pool#issue(String, String)}. */
        Mono<IssueResult> issue(String userId, String requestId);

        /** As {@link Pool#state()}; empty if there is no such pool. */
        Mono<PoolState> state();
    }
}
