// SPDX-License-Identifier: Apache-2.0
package dev.interlock.pool;

import dev.interlock.pool.Durability.Level;
import java.time.Duration;
import java.util.OptionalLong;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;
import java.util.function.Supplier;

/** Does what the pool does, then waits until the event has got as far as is wanted. */
final class DurableCalls implements DurablePool.Async {
    private final PoolCalls pool;
    private final Seen seen;
    private final Durability wanted;
    private final Arrival arrival;

    DurableCalls(PoolCalls pool, Seen seen, Durability wanted, Arrival arrival) {
        this.pool = pool;
        this.seen = seen;
        this.wanted = wanted;
        this.arrival = arrival;
    }

    /** Knows when events have reached a level. */
    interface Arrival {
        /** Fails if the server cannot give this level at all; called before anything is done. */
        default CompletionStage<Void> check() {
            return CompletableFuture.completedStage(null);
        }

        /** Completes in time with what was reached for an event; never fails. */
        CompletionStage<Reached> of(Seen.Event event);
    }

    /** How far an event has got. */
    record Reached(Level level, int replicas) {
        static final Reached MEMORY = new Reached(Level.MEMORY, 0);
    }

    @Override
    public CompletionStage<Assured<IssueResult>> issue(String userId, String requestId) {
        return issue(PoolCalls.request(userId, requestId));
    }

    CompletionStage<Assured<IssueResult>> issue(IssueLane.Request request) {
        return assured(() -> pool.issue(request), result -> {
            if (result instanceof IssueResult.Issued issued) {
                return OptionalLong.of(issued.sequence());
            }
            return result instanceof IssueResult.Replayed replayed
                    ? OptionalLong.of(replayed.sequence())
                    : OptionalLong.empty();
        });
    }

    @Override
    public CompletionStage<Assured<HoldResult>> hold(String userId, long quantity, Duration ttl, String requestId) {
        return hold(new HoldCalls.Request(userId, quantity, ttl, requestId));
    }

    CompletionStage<Assured<HoldResult>> hold(HoldCalls.Request request) {
        return assured(() -> pool.holds().hold(request), result -> {
            if (result instanceof HoldResult.Held held) {
                return OptionalLong.of(held.sequence());
            }
            // Its event is not known here, so the latest one stands for it.
            return result instanceof HoldResult.Replayed
                    ? OptionalLong.of(seen.latest().sequence())
                    : OptionalLong.empty();
        });
    }

    @Override
    public CompletionStage<Assured<ConfirmResult>> confirm(String holdId) {
        return confirm(HoldId.parse(holdId));
    }

    CompletionStage<Assured<ConfirmResult>> confirm(HoldId id) {
        return assured(
                () -> pool.holds().confirm(id),
                result -> result instanceof ConfirmResult.Confirmed confirmed
                        ? OptionalLong.of(confirmed.firstSequence() + confirmed.quantity() - 1)
                        : OptionalLong.empty());
    }

    private <T> CompletionStage<Assured<T>> assured(
            Supplier<CompletionStage<T>> change, Function<T, OptionalLong> sequence) {
        return arrival.check().thenCompose(able -> change.get()).thenCompose(result -> {
            OptionalLong event = sequence.apply(result);
            if (event.isEmpty()) {
                return CompletableFuture.completedStage(new Assured<>(result, wanted.level(), 0, true));
            }
            long epoch = seen.latest().epoch();
            return arrival.of(new Seen.Event(epoch, event.getAsLong())).thenApply(reached -> answer(result, reached));
        });
    }

    private <T> Assured<T> answer(T result, Reached reached) {
        return new Assured<>(result, reached.level(), reached.replicas(), reached.level() == wanted.level());
    }
}
