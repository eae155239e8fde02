// SPDX-License-Identifier: Apache-2.0
package dev.interlock.pool;

import dev.interlock.internal.Bounds;
import dev.interlock.internal.Engine;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletionStage;
import reactor.core.publisher.Mono;

/**
 * One pool in several shards, which in a cluster lie on several masters. A user belongs to one shard, so the limit is exact;
 * units are in any, and move to where they are asked for: they leave one shard by an event, and arrive in the other by
 * another one, once. Units whose mover died on the way are brought to their end by whoever next lacks units.
 *
 * <p>Guarantees: those of {@link Pool}. "Sold out" is told only if at one moment all shards were empty and nothing was on its
 * way; by a node that found that out itself, for at most 200 ms longer. Does not guarantee that a change of all shards, such
 * as new times, is made in all of them at once.
 *
 * <p>Each shard has an outbox of its own: give each a relay, all under the name of the pool. All nodes must name the same number of
 * shards; one that names another finds no pool. Thread-safe; nothing to close. Throws as {@link Pool}, and
 * {@link dev.interlock.NotExecutedException} if units move away faster than they can be brought. Cost as {@link Pool}; an
 * empty shard costs two script calls a shard, shared by all callers.
 */
public interface ShardedPool {
    /**
     * Creates the pool, its units divided among the shards. If that fails on its way, do it again with the same settings;
     * until then there is no pool.
     *
     * @param config its units, limit and times
     * @return created, or what is there already, added up
     * @throws dev.interlock.CorruptStateException if shards are missing of a pool that was in use; nothing was created
     */
    CreateResult create(PoolConfig config);

    /**
     * As {@link Pool#issue(String, String)}; the sequence is that of the user's shard, the units left are those in it.
     *
     * @param userId who
     * @param requestId which request
     * @return the decision
     */
    IssueResult issue(String userId, String requestId);

    /**
     * Reads the state of all shards.
     *
     * @return the state, or empty if a shard is missing
     */
    Optional<ShardedState> state();

    /**
     * Units that are set aside for a while; those of one hold are brought together in the user's shard.
     *
     * @return the pool's holds; nothing is sent
     */
    Holds holds();

    /**
     * As {@link PoolControl#restock(long, String)}, into the shard that the request belongs to.
     *
     * @param quantity units
     * @param requestId which request
     * @return restocked, or why not; the units left are those in that shard
     */
    RestockResult restock(long quantity, String requestId);

    /**
     * The shards as pools, for their outboxes, relays and control. Issuing and holding there, past this pool, breaks the
     * limit per user.
     *
     * @return all, in order
     */
    List<Pool> shards();

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
     * Made by {@link dev.interlock.Interlock#shardedPool(String, int)}.
     *
     * @param engine runtime resources
     * @param name checked name
     * @param shards how many, 2 to 256
     * @return the pool
     * @throws IllegalArgumentException if the number lies outside
     */
    static ShardedPool create(Engine engine, String name, int shards) {
        Bounds.range("shards", shards, 2, ShardedCalls.MAX_SHARDS);
        return new BlockingSharded(
                engine.shared(ShardedCalls.class, name + '/' + shards, () -> new ShardedCalls(engine, name, shards)));
    }

    /** As {@link ShardedPool}; stages complete on I/O threads, so what depends on them must not block. */
    interface Async {
        /** As {@link ShardedPool#create(PoolConfig)}. */
        CompletionStage<CreateResult> create(PoolConfig config);

        /** As {@link ShardedPool#issue(String, String)}. */
        CompletionStage<IssueResult> issue(String userId, String requestId);

        /** As {@link ShardedPool#state()}. */
        CompletionStage<Optional<ShardedState>> state();

        /** As {@link ShardedPool#restock(long, String)}. */
        CompletionStage<RestockResult> restock(long quantity, String requestId);
    }

    /** As {@link ShardedPool}; each subscription is one call. */
    interface Reactive {
        /** As {@link ShardedPool#create(PoolConfig)}. */
        Mono<CreateResult> create(PoolConfig config);

        /** As {@link ShardedPool#issue(String, String)}. */
        Mono<IssueResult> issue(String userId, String requestId);

        /** As {@link ShardedPool#state()}; empty if a shard is missing. */
        Mono<ShardedState> state();

        /** As {@link ShardedPool#restock(long, String)}. */
        Mono<RestockResult> restock(long quantity, String requestId);
    }
}
