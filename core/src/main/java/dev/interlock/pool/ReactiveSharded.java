// SPDX-License-Identifier: Apache-2.0
package dev.interlock.pool;

import reactor.core.publisher.Mono;

/** The reactive view: each subscription starts the asynchronous operation; arguments are checked before. */
record ReactiveSharded(ShardedCalls calls) implements ShardedPool.Reactive {
    @Override
    public Mono<CreateResult> create(PoolConfig config) {
        return Mono.fromCompletionStage(() -> calls.create(config));
    }

    @Override
    public Mono<IssueResult> issue(String userId, String requestId) {
        IssueLane.Request request = PoolCalls.request(userId, requestId);
        return Mono.fromCompletionStage(() -> calls.issue(request));
    }

    @Override
    public Mono<ShardedState> state() {
        return Mono.fromCompletionStage(calls::state).flatMap(Mono::justOrEmpty);
    }

    @Override
    public Mono<RestockResult> restock(long quantity, String requestId) {
        ControlCalls.Restock restock = new ControlCalls.Restock(quantity, requestId);
        return Mono.fromCompletionStage(() -> calls.restock(restock));
    }
}
