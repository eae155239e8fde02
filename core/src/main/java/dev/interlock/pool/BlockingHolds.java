// SPDX-License-Identifier: Apache-2.0
package dev.interlock.pool;

import dev.interlock.internal.Await;
import java.time.Duration;
import java.util.Optional;

/** The blocking view: each operation waits for the asynchronous one. */
record BlockingHolds(HoldOps calls) implements Holds {
    @Override
    public HoldResult hold(String userId, long quantity, Duration ttl, String requestId) {
        return Await.get("holds.hold", () -> calls.hold(userId, quantity, ttl, requestId));
    }

    @Override
    public ConfirmResult confirm(String holdId) {
        return Await.get("holds.confirm", () -> calls.confirm(holdId));
    }

    @Override
    public CancelResult cancel(String holdId) {
        return Await.get("holds.cancel", () -> calls.cancel(holdId));
    }

    @Override
    public Optional<Hold> find(String holdId) {
        return Await.get("holds.find", () -> calls.find(holdId));
    }

    @Override
    public int sweep(int max) {
        return Await.get("holds.sweep", () -> calls.sweep(max));
    }

    @Override
    public Async async() {
        return calls;
    }

    @Override
    public Reactive reactive() {
        return new ReactiveHolds(calls);
    }
}
