// SPDX-License-Identifier: Apache-2.0
package dev.interlock.pool;

import dev.interlock.NotExecutedException;
import dev.interlock.internal.Engine;
import dev.interlock.pool.Transfers.Found;
import dev.interlock.pool.Transfers.Transfer;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * Moves units between the shards of a pool to where they are wanted, and knows when there are none anywhere.
 *
 * <pre>
 *  look at all shards ── due holds ──▶ end them ──▶ look again
 *                     ── an open transfer ──▶ bring it to its end ──▶ look again
 *                     ── enough somewhere ──▶ send, receive, settle ──▶ FILLED
 *                     ── too few, and nothing changed since the last look ──▶ SHORT
 * </pre>
 *
 * Two looks that find no event between them show all shards as they were at one moment.
 */
final class Balance {
    private final List<PoolCalls> shards;
    private final List<Transfers> transfers;
    private final long timeoutNanos;

    Balance(Engine engine, List<PoolCalls> shards) {
        this.shards = shards;
        this.transfers = shards.stream().map(PoolCalls::transfers).toList();
        this.timeoutNanos = engine.settings().commandTimeout().toNanos();
    }

    /** What came of an attempt to bring units. */
    sealed interface Supply {
        /** Some arrived; others may take them first. */
        record Filled() implements Supply {}

        /** All shards together had so few at one moment, and nothing was on its way. */
        record Short(long total) implements Supply {}

        /** A shard is fenced, so nobody knows. */
        record Fenced() implements Supply {}

        /** A shard is missing. */
        record Missing() implements Supply {}
    }

    /** All shards, as one look found them. */
    record Look(List<Found> shards) {
        long total() {
            return shards.stream().mapToLong(found -> found.state().available()).sum();
        }

        /** Whether no event happened in between. */
        boolean same(@Nullable Look other) {
            return other != null
                    && IntStream.range(0, shards.size())
                            .allMatch(i -> shards.get(i).state().sequence()
                                            == other.shards.get(i).state().sequence()
                                    && shards.get(i).state().epoch()
                                            == other.shards.get(i).state().epoch());
        }

        boolean arrived(int from, int to, Transfer transfer) {
            Transfer latest = shards.get(to).incoming().get(from);
            return latest != null && !transfer.isAfter(latest);
        }

        long inTransit() {
            long units = 0;
            for (int from = 0; from < shards.size(); from++) {
                for (var open : shards.get(from).outgoing().entrySet()) {
                    units += arrived(from, open.getKey(), open.getValue())
                            ? 0
                            : open.getValue().quantity();
                }
            }
            return units;
        }
    }

    /** Reads all shards, one after the other or together; empty if one is missing. */
    CompletionStage<Optional<Look>> look() {
        List<CompletableFuture<Optional<Found>>> reads = transfers.stream()
                .map(shard -> shard.survey().toCompletableFuture())
                .toList();
        return all(reads).thenApply(done -> {
            List<Found> found = reads.stream()
                    .map(CompletableFuture::join)
                    .flatMap(Optional::stream)
                    .toList();
            return found.size() == shards.size() ? Optional.of(new Look(found)) : Optional.empty();
        });
    }

    private static CompletableFuture<Void> all(List<? extends CompletableFuture<?>> steps) {
        return CompletableFuture.allOf(steps.toArray(CompletableFuture[]::new));
    }

    /** Brings units to a shard until it has so many, or shows that there are fewer in all. */
    CompletionStage<Supply> fill(int shard, long need) {
        return fill(shard, need, null, System.nanoTime() + timeoutNanos);
    }

    private CompletionStage<Supply> fill(int shard, long need, @Nullable Look before, long untilNanos) {
        if (System.nanoTime() - untilNanos > 0) {
            throw new NotExecutedException(
                    "units of this pool move between its shards faster than they could be brought together;"
                            + " nothing was decided, ask again",
                    null);
        }
        return look().thenCompose(read -> {
            if (read.isEmpty()) {
                return CompletableFuture.<Supply>completedStage(new Supply.Missing());
            }
            Look look = read.get();
            if (look.shards().stream().anyMatch(found -> found.state().fenced())) {
                return CompletableFuture.<Supply>completedStage(new Supply.Fenced());
            }
            List<CompletableFuture<?>> steps = tidy(look);
            if (!steps.isEmpty()) {
                return all(steps).thenCompose(done -> fill(shard, need, null, untilNanos));
            }
            if (look.shards().get(shard).state().available() >= need) {
                return CompletableFuture.<Supply>completedStage(new Supply.Filled());
            }
            if (look.total() >= need) {
                return bring(look, shard, need);
            }
            return look.same(before)
                    ? CompletableFuture.<Supply>completedStage(new Supply.Short(look.total()))
                    : fill(shard, need, look, untilNanos);
        });
    }

    /** Ends what has to be ended before units can be counted. */
    private List<CompletableFuture<?>> tidy(Look look) {
        List<CompletableFuture<?>> steps = new ArrayList<>();
        for (int i = 0; i < shards.size(); i++) {
            int from = i;
            Found found = look.shards().get(i);
            if (found.due()) {
                steps.add(shards.get(i).sweeper().sweep(Sweeper.STEP).toCompletableFuture());
            }
            found.outgoing()
                    .forEach((to, transfer) ->
                            steps.add(finish(from, to, transfer).toCompletableFuture()));
        }
        return steps;
    }

    private CompletionStage<Boolean> finish(int from, int to, Transfer transfer) {
        return transfers
                .get(to)
                .receive(from, transfer)
                .thenCompose(here ->
                        here ? transfers.get(from).settle(to, transfer) : CompletableFuture.completedStage(false));
    }

    private CompletionStage<Supply> bring(Look look, int shard, long need) {
        int richest = IntStream.range(0, shards.size())
                .filter(i -> i != shard)
                .boxed()
                .max(Comparator.comparingLong(i -> look.shards().get(i).state().available()))
                .orElseThrow();
        long missing = need - look.shards().get(shard).state().available();
        return transfers
                .get(richest)
                .send(shard, missing)
                .thenCompose(sent ->
                        sent.isPresent() ? finish(richest, shard, sent.get()) : CompletableFuture.completedStage(false))
                .thenApply(done -> new Supply.Filled());
    }
}
