// SPDX-License-Identifier: Apache-2.0
package dev.interlock.pool;

import java.time.Duration;
import reactor.core.publisher.Mono;

/** The reactive view: each subscription starts the asynchronous operation; arguments are checked before. */
record ReactiveDurable(DurableCalls calls) implements DurablePool.Reactive {
    @Override
    public Mono<Assured<IssueResult>> issue(String userId, String requestId) {
        IssueLane.Request request = PoolCalls.request(userId, requestId);
        return Mono.fromCompletionStage(() -> calls.issue(request));
    }

    @Override
    public Mono<Assured<HoldResult>> hold(String userId, long quantity, Duration ttl, String requestId) {
        HoldCalls.Request request = new HoldCalls.Request(userId, quantity, ttl, requestId);
        return Mono.fromCompletionStage(() -> calls.hold(request));
    }

    @Override
    public Mono<Assured<ConfirmResult>> confirm(String holdId) {
        HoldId id = HoldId.parse(holdId);
        return Mono.fromCompletionStage(() -> calls.confirm(id));
    }
}
