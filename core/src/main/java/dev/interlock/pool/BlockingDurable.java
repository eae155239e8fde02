// SPDX-License-Identifier: Apache-2.0
package dev.interlock.pool;

import dev.interlock.internal.Await;
import java.time.Duration;

/** The blocking view: each operation waits for the asynchronous one. */
record BlockingDurable(DurableCalls calls) implements DurablePool {
    @Override
    public Assured<IssueResult> issue(String userId, String requestId) {
        return Await.get("pool.issue", () -> calls.issue(userId, requestId));
    }

    @Override
    public Assured<HoldResult> hold(String userId, long quantity, Duration ttl, String requestId) {
        return Await.get("holds.hold", () -> calls.hold(userId, quantity, ttl, requestId));
    }

    @Override
    public Assured<ConfirmResult> confirm(String holdId) {
        return Await.get("holds.confirm", () -> calls.confirm(holdId));
    }

    @Override
    public Async async() {
        return calls;
    }

    @Override
    public Reactive reactive() {
        return new ReactiveDurable(calls);
    }
}
