// SPDX-License-Identifier: Apache-2.0
package dev.interlock.pool;

import dev.interlock.internal.Await;
import java.util.List;
import java.util.Optional;

/** The blocking view: each operation waits for the asynchronous one. */
record BlockingSharded(ShardedCalls calls) implements ShardedPool {
    @Override
    public CreateResult create(PoolConfig config) {
        return Await.get("pool.create", () -> calls.create(config));
    }

    @Override
    public IssueResult issue(String userId, String requestId) {
        return Await.get("pool.issue", () -> calls.issue(userId, requestId));
    }

    @Override
    public Optional<ShardedState> state() {
        return Await.get("pool.state", calls::state);
    }

    @Override
    public Holds holds() {
        return new BlockingHolds(calls.holds());
    }

    @Override
    public RestockResult restock(long quantity, String requestId) {
        return Await.get("pool.restock", () -> calls.restock(quantity, requestId));
    }

    @Override
    public List<Pool> shards() {
        return calls.pools();
    }

    @Override
    public Async async() {
        return calls;
    }

    @Override
    public Reactive reactive() {
        return new ReactiveSharded(calls);
    }
}
