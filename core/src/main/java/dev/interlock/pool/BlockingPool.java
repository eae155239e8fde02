// SPDX-License-Identifier: Apache-2.0
package dev.interlock.pool;

import dev.interlock.internal.Await;
import java.util.Optional;

/** The blocking view: each operation waits for the asynchronous one. */
record BlockingPool(String name, PoolCalls calls) implements Pool {
    @Override
    public CreateResult create(PoolConfig config) {
        return Await.get("pool.create", () -> calls.create(config));
    }

    @Override
    public IssueResult issue(String userId, String requestId) {
        return Await.get("pool.issue", () -> calls.issue(userId, requestId));
    }

    @Override
    public Optional<PoolState> state() {
        return Await.get("pool.state", calls::state);
    }

    @Override
    public Holds holds() {
        return new BlockingHolds(calls.holds());
    }

    @Override
    public PoolControl control() {
        return new BlockingControl(calls.control());
    }

    @Override
    public Outbox outbox() {
        return calls.outbox();
    }

    @Override
    public Async async() {
        return calls;
    }

    @Override
    public Reactive reactive() {
        return new ReactivePool(calls);
    }
}
