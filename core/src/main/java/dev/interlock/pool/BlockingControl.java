// SPDX-License-Identifier: Apache-2.0
package dev.interlock.pool;

import dev.interlock.internal.Await;
import java.time.Instant;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** The blocking view: each operation waits for the asynchronous one. */
record BlockingControl(ControlCalls calls) implements PoolControl {
    @Override
    public RestockResult restock(long quantity, String requestId) {
        return Await.get("pool.restock", () -> calls.restock(quantity, requestId));
    }

    @Override
    public AdjustResult adjust(Adjustment adjustment) {
        return Await.get("pool.adjust", () -> calls.adjust(adjustment));
    }

    @Override
    public AdjustResult revoke(String userId, long sequence, String reason) {
        return Await.get("pool.revoke", () -> calls.revoke(userId, sequence, reason));
    }

    @Override
    public ScheduleResult schedule(@Nullable Instant opensAt, @Nullable Instant closesAt) {
        return Await.get("pool.schedule", () -> calls.schedule(opensAt, closesAt));
    }

    @Override
    public DropResult drop(long epoch) {
        return Await.get("pool.drop", () -> calls.drop(epoch));
    }

    @Override
    public Optional<PoolConfig> settings() {
        return Await.get("pool.settings", calls::settings);
    }

    @Override
    public Async async() {
        return calls;
    }

    @Override
    public Reactive reactive() {
        return new ReactiveControl(calls);
    }
}
