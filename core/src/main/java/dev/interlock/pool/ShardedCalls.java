// SPDX-License-Identifier: Apache-2.0
package dev.interlock.pool;

import dev.interlock.CorruptStateException;
import dev.interlock.NotExecutedException;
import dev.interlock.internal.Engine;
import dev.interlock.internal.Names;
import dev.interlock.pool.Balance.Look;
import dev.interlock.pool.Balance.Supply;
import dev.interlock.pool.Transfers.Found;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/** Every operation of a parted pool, written once; the other views wait for it or wrap it. */
final class ShardedCalls implements ShardedPool.Async {
    static final int MAX_SHARDS = 256;

    private static final IssueResult SOLD_OUT = new IssueResult.SoldOut();
    private static final long EMPTY_NANOS = TimeUnit.MILLISECONDS.toNanos(200);
    private static final int MAX_LOOKS = 20;

    private final Engine engine;
    private final String name;
    private final List<PoolCalls> shards;
    private final Balance balance;
    private final ShardedHolds holds;
    private final Map<Integer, CompletableFuture<Supply>> fills = new ConcurrentHashMap<>();
    private volatile boolean complete;
    private volatile long emptySinceNanos = System.nanoTime() - EMPTY_NANOS;

    ShardedCalls(Engine engine, String name, int count) {
        this.engine = engine;
        this.name = name;
        this.shards = IntStream.range(0, count)
                .mapToObj(i -> new PoolCalls(engine, name, new Shard(i, count)))
                .toList();
        this.balance = new Balance(engine, shards);
        this.holds = new ShardedHolds(this, balance);
    }

    HoldOps holds() {
        return holds;
    }

    List<PoolCalls> calls() {
        return shards;
    }

    List<Pool> pools() {
        return shards.stream().<Pool>map(calls -> new BlockingPool(name, calls)).toList();
    }

    /** The same for every JVM and version, or the limit would be broken. */
    int shardOf(String text) {
        int hash = text.hashCode() * 0x9E3779B9;
        return Math.floorMod(hash ^ (hash >>> 15), shards.size());
    }

    long deadlineNanos() {
        return System.nanoTime() + engine.settings().commandTimeout().toNanos();
    }

    /** Whether all shards are there; a pool that is created only in part is none yet. */
    CompletionStage<Boolean> complete() {
        return complete
                ? CompletableFuture.completedStage(true)
                : balance.look().thenApply(look -> complete = look.isPresent());
    }

    @Override
    public CompletionStage<CreateResult> create(PoolConfig config) {
        List<CompletableFuture<Optional<Found>>> reads = shards.stream()
                .map(shard -> shard.transfers().survey().toCompletableFuture())
                .toList();
        return CompletableFuture.allOf(reads.toArray(CompletableFuture[]::new)).thenCompose(done -> {
            List<Optional<Found>> found =
                    reads.stream().map(CompletableFuture::join).toList();
            boolean missing = found.stream().anyMatch(Optional::isEmpty);
            // The first shard is created last, and before it exists nothing happens in the others.
            boolean used = found.get(0).isPresent()
                    || found.stream()
                            .flatMap(Optional::stream)
                            .anyMatch(shard -> shard.state().sequence() > 0);
            if (missing && used) {
                throw new CorruptStateException(
                        "pool " + Names.echo(name) + ": shards of it are gone from Redis; nothing was created:"
                                + " rebuild them, or drop the others if the pool is given up",
                        null);
            }
            return createFrom(shards.size() - 1, config);
        });
    }

    private CompletionStage<CreateResult> createFrom(int index, PoolConfig config) {
        long count = shards.size();
        long units = config.total() / count + (index < config.total() % count ? 1 : 0);
        PoolConfig part =
                new PoolConfig(units, config.limitPerUser(), config.opensAt(), config.closesAt(), config.epoch());
        return shards.get(index).create(part).thenCompose(result -> {
            boolean goesOn = result instanceof CreateResult.Created || result instanceof CreateResult.Exists;
            if (index > 0) {
                return goesOn ? createFrom(index - 1, config) : CompletableFuture.completedStage(result);
            }
            return result instanceof CreateResult.Exists ? exists() : CompletableFuture.completedStage(result);
        });
    }

    private CompletionStage<CreateResult> exists() {
        return balance.look().thenApply(look -> new CreateResult.Exists(sum(look.orElseThrow())));
    }

    private static PoolState sum(Look look) {
        PoolState sum = new PoolState(0, 0, 0, 0, 0, false);
        for (Found shard : look.shards()) {
            PoolState state = shard.state();
            sum = new PoolState(
                    Math.max(sum.epoch(), state.epoch()),
                    sum.sequence() + state.sequence(),
                    sum.available() + state.available(),
                    sum.held() + state.held(),
                    sum.users() + state.users(),
                    sum.fenced() || state.fenced());
        }
        return sum;
    }

    @Override
    public CompletionStage<IssueResult> issue(String userId, String requestId) {
        return issue(PoolCalls.request(userId, requestId));
    }

    CompletionStage<IssueResult> issue(IssueLane.Request request) {
        int shard = shardOf(request.userId());
        if (!complete) {
            return complete()
                    .thenCompose(all ->
                            all ? issue(request) : CompletableFuture.completedStage(new IssueResult.UnknownPool()));
        }
        return shards.get(shard)
                .issues()
                .issue(request)
                .thenCompose(result -> result instanceof IssueResult.SoldOut
                        ? elsewhere(shard, request, deadlineNanos())
                        : CompletableFuture.completedStage(result));
    }

    private CompletionStage<IssueResult> elsewhere(int shard, IssueLane.Request request, long untilNanos) {
        if (System.nanoTime() - emptySinceNanos < EMPTY_NANOS) {
            return CompletableFuture.completedStage(SOLD_OUT);
        }
        return fillOnce(shard).thenCompose(supply -> {
            if (supply instanceof Supply.Filled) {
                return shards.get(shard)
                        .issues()
                        .ask(request)
                        .thenCompose(result -> again(result, shard, request, untilNanos));
            }
            if (supply instanceof Supply.TooFew) {
                return CompletableFuture.completedStage(SOLD_OUT);
            }
            // Whatever is missing was there before, or this shard would not have been asked.
            return CompletableFuture.completedStage(new IssueResult.Rebuilding(IssueLane.REBUILDING_RETRY));
        });
    }

    private CompletionStage<IssueResult> again(
            IssueResult result, int shard, IssueLane.Request request, long untilNanos) {
        if (!(result instanceof IssueResult.SoldOut)) {
            return CompletableFuture.completedStage(result);
        }
        checkTime(untilNanos);
        return elsewhere(shard, request, untilNanos);
    }

    static void checkTime(long untilNanos) {
        if (System.nanoTime() - untilNanos > 0) {
            throw new NotExecutedException(
                    "units of this pool were taken by others as fast as they came; nothing was decided, ask again",
                    null);
        }
    }

    /** One attempt for all who wait for units in a shard. */
    private CompletionStage<Supply> fillOnce(int shard) {
        CompletableFuture<Supply> mine = new CompletableFuture<>();
        CompletableFuture<Supply> others = fills.putIfAbsent(shard, mine);
        if (others != null) {
            return others;
        }
        start(() -> balance.fill(shard, 1)).whenComplete((supply, error) -> {
            fills.remove(shard, mine);
            if (error != null) {
                mine.completeExceptionally(error);
                return;
            }
            if (supply instanceof Supply.TooFew) {
                emptySinceNanos = System.nanoTime();
            }
            mine.complete(supply);
        });
        return mine;
    }

    private static <T> CompletionStage<T> start(java.util.function.Supplier<CompletionStage<T>> work) {
        try {
            return work.get();
        } catch (RuntimeException e) {
            return CompletableFuture.failedStage(e);
        }
    }

    /** Units have come, so that "sold out" must be found out anew. */
    void supplied() {
        emptySinceNanos = System.nanoTime() - EMPTY_NANOS;
    }

    @Override
    public CompletionStage<Optional<ShardedState>> state() {
        return state(null, MAX_LOOKS);
    }

    private CompletionStage<Optional<ShardedState>> state(@Nullable Look before, int looks) {
        return balance.look().thenCompose(read -> {
            if (read.isEmpty()) {
                return CompletableFuture.completedStage(Optional.<ShardedState>empty());
            }
            Look look = read.get();
            boolean exact = look.same(before);
            if (!exact && looks > 1) {
                return state(look, looks - 1);
            }
            PoolState sum = sum(look);
            return CompletableFuture.completedStage(
                    Optional.of(new ShardedState(sum.available(), sum.held(), look.inTransit(), sum.users(), exact)));
        });
    }

    @Override
    public CompletionStage<RestockResult> restock(long quantity, String requestId) {
        return restock(new ControlCalls.Restock(quantity, requestId));
    }

    CompletionStage<RestockResult> restock(ControlCalls.Restock restock) {
        return complete()
                .thenCompose(all -> all
                        ? shards.get(shardOf(restock.requestId()))
                                .control()
                                .restock(restock)
                                .thenApply(result -> {
                                    supplied();
                                    return result;
                                })
                        : CompletableFuture.completedStage(new RestockResult.UnknownPool()));
    }
}
