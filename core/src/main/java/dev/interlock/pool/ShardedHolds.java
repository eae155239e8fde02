// SPDX-License-Identifier: Apache-2.0
package dev.interlock.pool;

import dev.interlock.pool.Balance.Supply;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;
import java.util.function.LongFunction;
import java.util.function.Supplier;

/** Holds of a parted pool: each lies in its user's shard, which its id names; missing units are brought there. */
final class ShardedHolds implements HoldOps {
    private final ShardedCalls pool;
    private final Balance balance;

    ShardedHolds(ShardedCalls pool, Balance balance) {
        this.pool = pool;
        this.balance = balance;
    }

    private HoldCalls in(int shard) {
        return pool.calls().get(shard).holds();
    }

    private boolean has(HoldId id) {
        return id.shard() < pool.calls().size();
    }

    @Override
    public CompletionStage<HoldResult> hold(String userId, long quantity, Duration ttl, String requestId) {
        return hold(new HoldCalls.Request(userId, quantity, ttl, requestId));
    }

    @Override
    public CompletionStage<HoldResult> hold(HoldCalls.Request request) {
        int shard = pool.shardOf(request.userId());
        Want<HoldResult> want = new Want<>(
                shard,
                request.quantity(),
                () -> in(shard).hold(request),
                result -> result instanceof HoldResult.SoldOut || result instanceof HoldResult.Insufficient,
                total -> total > 0 ? new HoldResult.Insufficient(total) : new HoldResult.SoldOut(),
                () -> new HoldResult.Rebuilding(IssueLane.REBUILDING_RETRY));
        return pool.complete()
                .thenCompose(all -> all
                        ? get(want, pool.deadlineNanos())
                        : CompletableFuture.completedStage(new HoldResult.UnknownPool()));
    }

    /** What needs units in one shard, and how to answer if there are too few in all. */
    private record Want<T>(
            int shard,
            long quantity,
            Supplier<CompletionStage<T>> call,
            Function<T, Boolean> lacks,
            LongFunction<T> refusal,
            Supplier<T> fenced) {}

    private <T> CompletionStage<T> get(Want<T> want, long untilNanos) {
        return want.call().get().thenCompose(result -> {
            if (!want.lacks().apply(result)) {
                return CompletableFuture.completedStage(result);
            }
            ShardedCalls.checkTime(untilNanos);
            return balance.fill(want.shard(), want.quantity()).thenCompose(supply -> {
                if (supply instanceof Supply.Short few) {
                    return CompletableFuture.completedStage(want.refusal().apply(few.total()));
                }
                return supply instanceof Supply.Filled
                        ? get(want, untilNanos)
                        : CompletableFuture.completedStage(want.fenced().get());
            });
        });
    }

    @Override
    public CompletionStage<ConfirmResult> confirm(String holdId) {
        return confirm(HoldId.parse(holdId));
    }

    @Override
    public CompletionStage<ConfirmResult> confirm(HoldId id) {
        if (!has(id)) {
            return CompletableFuture.completedStage(new ConfirmResult.UnknownHold());
        }
        return in(id.shard())
                .confirm(id)
                .thenCompose(result -> result instanceof ConfirmResult.LateNoStock
                        ? find(id).thenCompose(hold ->
                                late(id, hold.map(Hold::quantity).orElse(1L)))
                        : CompletableFuture.completedStage(result));
    }

    private CompletionStage<ConfirmResult> late(HoldId id, long quantity) {
        Want<ConfirmResult> want = new Want<>(
                id.shard(),
                quantity,
                () -> in(id.shard()).confirm(id),
                ConfirmResult.LateNoStock.class::isInstance,
                ConfirmResult.LateNoStock::new,
                () -> new ConfirmResult.Rebuilding(IssueLane.REBUILDING_RETRY));
        return get(want, pool.deadlineNanos());
    }

    @Override
    public CompletionStage<CancelResult> cancel(String holdId) {
        return cancel(HoldId.parse(holdId));
    }

    @Override
    public CompletionStage<CancelResult> cancel(HoldId id) {
        if (!has(id)) {
            return CompletableFuture.completedStage(new CancelResult.UnknownHold());
        }
        return in(id.shard()).cancel(id).thenApply(result -> {
            pool.supplied();
            return result;
        });
    }

    @Override
    public CompletionStage<Optional<Hold>> find(String holdId) {
        return find(HoldId.parse(holdId));
    }

    @Override
    public CompletionStage<Optional<Hold>> find(HoldId id) {
        return has(id) ? in(id.shard()).find(id) : CompletableFuture.completedStage(Optional.empty());
    }

    @Override
    public CompletionStage<Integer> sweep(int max) {
        HoldCalls.checkSweep(max);
        return sweepFrom(0, max, 0);
    }

    private CompletionStage<Integer> sweepFrom(int shard, int max, int ended) {
        if (shard == pool.calls().size() || ended >= max) {
            return CompletableFuture.completedStage(ended);
        }
        return in(shard).sweep(max - ended).thenCompose(some -> sweepFrom(shard + 1, max, ended + some));
    }
}
