// SPDX-License-Identifier: Apache-2.0
package dev.interlock.inventory;

import dev.interlock.ScriptMode;
import dev.interlock.internal.Bounds;
import dev.interlock.internal.Engine;
import dev.interlock.internal.EveryMaster;
import dev.interlock.internal.KeySearch;
import dev.interlock.internal.LuaScript;
import dev.interlock.internal.NodeQueries;
import io.lettuce.core.api.StatefulRedisConnection;
import java.util.List;
import java.util.Map;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;

/**
 * What the masters hold, and whether they decide. For operators and end-points, not for decisions: what it says is out of date
 * when it arrives. Asynchronous only. Thread-safe; nothing to close.
 */
public final class Inventory {
    private static final long PATIENCE_MILLIS = 2_000;
    private static final int MOST_NAMES = 10_000;

    private final Engine engine;
    private final Probe probe;

    private Inventory(Engine engine) {
        this.engine = engine;
        this.probe = new Probe(engine);
    }

    /**
     * Made by {@link dev.interlock.Interlock#inventory()}.
     *
     * @param engine runtime resources
     * @return the inventory
     */
    public static Inventory create(Engine engine) {
        return new Inventory(engine);
    }

    /**
     * Tries on every master whether it decides: one script call each, which writes a key that lapses at once.
     *
     * @return by master, why it does not; empty if all do. Fails if not even the masters are known
     */
    public CompletionStage<Map<String, String>> undecided() {
        return probe.run();
    }

    /**
     * Which scripts the masters have now. Two commands for each master.
     *
     * @return for each master, whether it has each script that was used
     */
    public CompletionStage<Map<String, Map<String, Boolean>>> scripts() {
        List<LuaScript> known = List.copyOf(engine.scripts().known());
        return each(master -> NodeQueries.address(master)
                        .thenCombine(loaded(master, known), (node, scripts) -> Map.entry(node, scripts)))
                .thenApply(nodes -> {
                    Map<String, Map<String, Boolean>> all = new TreeMap<>();
                    nodes.forEach(node -> all.put(node.getKey(), node.getValue()));
                    return all;
                });
    }

    private CompletionStage<Map<String, Boolean>> loaded(
            StatefulRedisConnection<byte[], byte[]> master, List<LuaScript> known) {
        Map<String, Boolean> loaded = new TreeMap<>();
        if (engine.settings().scriptMode() == ScriptMode.FUNCTION) {
            return NodeQueries.libraries(master, LuaScript.FUNCTION_PREFIX).thenApply(libraries -> {
                known.forEach(script -> loaded.put(script.name(), libraries.contains(script.function())));
                return loaded;
            });
        }
        if (known.isEmpty()) {
            return CompletableFuture.completedFuture(loaded);
        }
        return master.async()
                .scriptExists(known.stream().map(LuaScript::sha1).toArray(String[]::new))
                .thenApply(there -> {
                    for (int i = 0; i < there.size(); i++) {
                        loaded.merge(known.get(i).name(), there.get(i), Boolean::logicalAnd);
                    }
                    return loaded;
                });
    }

    /**
     * How much of what was slow on the servers were scripts, anybody's. One command for each master.
     *
     * @return of the latest 128 entries of a master's slow log the share that are scripts or functions, 0 to 1; of the master
     *     with the most; 0 where the log is empty
     */
    public CompletionStage<Double> slowScripts() {
        return each(NodeQueries::slowScripts)
                .thenApply(shares ->
                        shares.stream().mapToDouble(share -> share).max().orElse(0));
    }

    /**
     * Names of the locks that are held, found by SCAN over all keys of all masters: ask seldom. Ends after 2 s, with what was
     * found by then.
     *
     * @param most stop at so many, 1 to 10,000
     * @return the names in their order
     * @throws IllegalArgumentException if the number lies outside
     */
    public CompletionStage<SortedSet<String>> locks(int most) {
        return names("lock", "", most);
    }

    /**
     * Names of the pools, found as {@link #locks} finds locks.
     *
     * @param most stop at so many, 1 to 10,000
     * @return the names in their order
     * @throws IllegalArgumentException if the number lies outside
     */
    public CompletionStage<SortedSet<String>> pools(int most) {
        return names("pool", "meta", most).thenApply(tags -> {
            // Each shard has its own, under name.shard.
            SortedSet<String> names = new TreeSet<>();
            tags.forEach(tag -> names.add(tag.replaceFirst("\\.\\d+$", "")));
            return names;
        });
    }

    private CompletionStage<SortedSet<String>> names(String primitive, String part, int most) {
        Bounds.range("most", most, 1, MOST_NAMES);
        KeySearch search = new KeySearch(engine.keys(), primitive, part, most);
        return each(master -> search.walk(master, PATIENCE_MILLIS)).thenApply(done -> new TreeSet<>(search.found()));
    }

    private <T> CompletionStage<List<T>> each(
            Function<StatefulRedisConnection<byte[], byte[]>, CompletionStage<T>> ask) {
        return EveryMaster.of(engine, ask).orTimeout(2 * PATIENCE_MILLIS, TimeUnit.MILLISECONDS);
    }
}
