// SPDX-License-Identifier: Apache-2.0
package dev.interlock.pool;

import java.time.Duration;
import java.util.concurrent.CompletionStage;
import reactor.core.publisher.Mono;

/**
 * A pool whose answers wait until what they tell of has reached a level of durability, and say which one it has reached. The
 * pool itself is the same as without: other calls and nodes see a change at once.
 *
 * <p>Guarantees: a level is named only if it was reached: replicas, disk or database have the very event. A level that is
 * not reached in time undoes nothing; ask again with the same request id to wait again.
 *
 * <p>Thread-safe; nothing to close. Callers who wait share the waiting, on a connection of its own. All methods throw as
 * those of {@link Pool}, and {@link dev.interlock.NotExecutedException}, before anything is done, if the server cannot give
 * the level at all.
 */
public interface DurablePool {
    /**
     * As {@link Pool#issue(String, String)}.
     *
     * @param userId who
     * @param requestId which request
     * @return the decision and how durable it is
     */
    Assured<IssueResult> issue(String userId, String requestId);

    /**
     * As {@link Holds#hold(String, long, Duration, String)}.
     *
     * @param userId who
     * @param quantity units
     * @param ttl how long
     * @param requestId which request
     * @return the decision and how durable it is
     */
    Assured<HoldResult> hold(String userId, long quantity, Duration ttl, String requestId);

    /**
     * As {@link Holds#confirm(String)}.
     *
     * @param holdId which hold
     * @return the decision and how durable it is
     */
    Assured<ConfirmResult> confirm(String holdId);

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
     * Made by {@link dev.interlock.Interlock#pool(String, Durability)}.
     *
     * @param pool the pool
     * @param wanted the level
     * @return its durable view
     */
    static DurablePool of(Pool pool, Durability wanted) {
        return new BlockingDurable(((BlockingPool) pool).calls().durable(wanted));
    }

    /** As {@link DurablePool}; stages complete on I/O threads, so what depends on them must not block. */
    interface Async {
        /** As {@link DurablePool#issue(String, String)}. */
        CompletionStage<Assured<IssueResult>> issue(String userId, String requestId);

        /** As {@link DurablePool#hold(String, long, Duration, String)}. */
        CompletionStage<Assured<HoldResult>> hold(String userId, long quantity, Duration ttl, String requestId);

        /** As {@link DurablePool#confirm(String)}. */
        CompletionStage<Assured<ConfirmResult>> confirm(String holdId);
    }

    /** As {@link DurablePool}; each subscription is one call. */
    interface Reactive {
        /** As {@link DurablePool#issue(String, String)}. */
        Mono<Assured<IssueResult>> issue(String userId, String requestId);

        /** As {@link DurablePool#hold(String, long, Duration, String)}. */
        Mono<Assured<HoldResult>> hold(String userId, long quantity, Duration ttl, String requestId);

        /** As {@link DurablePool#confirm(String)}. */
        Mono<Assured<ConfirmResult>> confirm(String holdId);
    }
}
