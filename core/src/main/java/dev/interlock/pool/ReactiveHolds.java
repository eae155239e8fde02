// SPDX-License-Identifier: Apache-2.0
package dev.interlock.pool;

import java.time.Duration;
import reactor.core.publisher.Mono;

/** The reactive view: each subscription starts the asynchronous operation; arguments are checked before. */
record ReactiveHolds(HoldOps calls) implements Holds.Reactive {
    @Override
    public Mono<HoldResult> hold(String userId, long quantity, Duration ttl, String requestId) {
        HoldCalls.Request request = new HoldCalls.Request(userId, quantity, ttl, requestId);
        return Mono.fromCompletionStage(() -> calls.hold(request));
    }

    @Override
    public Mono<ConfirmResult> confirm(String holdId) {
        HoldId id = HoldId.parse(holdId);
        return Mono.fromCompletionStage(() -> calls.confirm(id));
    }

    @Override
    public Mono<CancelResult> cancel(String holdId) {
        HoldId id = HoldId.parse(holdId);
        return Mono.fromCompletionStage(() -> calls.cancel(id));
    }

    @Override
    public Mono<Hold> find(String holdId) {
        HoldId id = HoldId.parse(holdId);
        return Mono.fromCompletionStage(() -> calls.find(id)).flatMap(Mono::justOrEmpty);
    }

    @Override
    public Mono<Integer> sweep(int max) {
        int checked = HoldCalls.checkSweep(max);
        return Mono.fromCompletionStage(() -> calls.sweep(checked));
    }
}
