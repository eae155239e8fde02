// SPDX-License-Identifier: Apache-2.0
package dev.interlock.pool;

import java.time.Instant;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;

/** The reactive view: each subscription starts the asynchronous operation; arguments are checked before. */
record ReactiveControl(ControlCalls calls) implements PoolControl.Reactive {
    @Override
    public Mono<RestockResult> restock(long quantity, String requestId) {
        ControlCalls.Restock restock = new ControlCalls.Restock(quantity, requestId);
        return Mono.fromCompletionStage(() -> calls.restock(restock));
    }

    @Override
    public Mono<AdjustResult> adjust(Adjustment adjustment) {
        return Mono.fromCompletionStage(() -> calls.adjust(adjustment));
    }

    @Override
    public Mono<AdjustResult> revoke(String userId, long sequence, String reason) {
        ControlCalls.checkRevoke(userId, sequence, reason);
        return Mono.fromCompletionStage(() -> calls.revoke(userId, sequence, reason));
    }

    @Override
    public Mono<ScheduleResult> schedule(@Nullable Instant opensAt, @Nullable Instant closesAt) {
        ControlCalls.times(opensAt, closesAt);
        return Mono.fromCompletionStage(() -> calls.schedule(opensAt, closesAt));
    }

    @Override
    public Mono<DropResult> drop(long epoch) {
        ControlCalls.checkEpoch(epoch);
        return Mono.fromCompletionStage(() -> calls.drop(epoch));
    }

    @Override
    public Mono<PoolConfig> settings() {
        return Mono.fromCompletionStage(calls::settings).flatMap(Mono::justOrEmpty);
    }
}
