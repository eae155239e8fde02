// SPDX-License-Identifier: Apache-2.0
package dev.interlock.doctor;

import dev.interlock.internal.Bounds;
import dev.interlock.internal.Engine;
import dev.interlock.internal.LuaScript;
import io.lettuce.core.KeyScanCursor;
import io.lettuce.core.ScanArgs;
import io.lettuce.core.ScanCursor;
import io.lettuce.core.api.StatefulRedisConnection;
import java.nio.charset.StandardCharsets;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentSkipListSet;
import java.util.concurrent.TimeUnit;

/** What the masters hold. */
final class Inventory {
    private static final int MOST_NAMES = 10_000;
    private static final int SCAN_STEP = 1_000;

    private final Engine engine;
    private final Masters masters;

    Inventory(Engine engine, Masters masters) {
        this.engine = engine;
        this.masters = masters;
    }

    CompletionStage<Map<String, Map<String, Boolean>>> scripts() {
        List<LuaScript> known = engine.scripts().known().stream()
                .sorted(Comparator.comparing(LuaScript::name))
                .toList();
        String[] digests = known.stream().map(LuaScript::sha1).toArray(String[]::new);
        return masters.each(master -> Masters.node(master)
                        .thenCombine(
                                digests.length == 0
                                        ? CompletableFuture.completedFuture(Optional.<List<Boolean>>empty())
                                        : Masters.patiently(master.async().scriptExists(digests)),
                                (node, loaded) -> Map.entry(node, loadedByName(known, loaded.orElse(List.of())))))
                .thenApply(nodes -> {
                    Map<String, Map<String, Boolean>> all = new TreeMap<>();
                    nodes.forEach(node -> all.put(node.getKey(), node.getValue()));
                    return all;
                });
    }

    private static Map<String, Boolean> loadedByName(List<LuaScript> known, List<Boolean> loaded) {
        Map<String, Boolean> byName = new TreeMap<>();
        for (int i = 0; i < loaded.size(); i++) {
            byName.merge(known.get(i).name(), loaded.get(i), Boolean::logicalAnd);
        }
        return byName;
    }

    /** Names of the keys {@code <prefix>:<primitive>:{name}<suffix>}. */
    CompletionStage<SortedSet<String>> names(String primitive, String suffix, int most) {
        Bounds.range("most", most, 1, MOST_NAMES);
        String before = engine.keys().prefix() + ':' + primitive + ":{";
        String after = '}' + suffix;
        Search search = new Search(before, after, most, new ConcurrentSkipListSet<>());
        return masters.each(master -> Masters.patiently(search.go(master)))
                .thenApply(done -> new TreeSet<>(search.found));
    }

    /** A pool's meta is kept for each of its shards, under {@code name.shard}. */
    static SortedSet<String> withoutShards(SortedSet<String> tags) {
        SortedSet<String> names = new TreeSet<>();
        tags.forEach(tag -> names.add(tag.replaceFirst("\\.\\d+$", "")));
        return names;
    }

    /** One walk over all keys. */
    private record Search(String before, String after, int most, SortedSet<String> found) {
        CompletionStage<Boolean> go(StatefulRedisConnection<byte[], byte[]> master) {
            ScanArgs args = ScanArgs.Builder.limit(SCAN_STEP).match(before + '*' + after);
            long end = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(Masters.PATIENCE_MILLIS);
            return next(master, args, ScanCursor.INITIAL, end);
        }

        private CompletionStage<Boolean> next(
                StatefulRedisConnection<byte[], byte[]> master, ScanArgs args, ScanCursor cursor, long end) {
            return master.async().scan(cursor, args).thenCompose(page -> {
                collect(page);
                boolean over = page.isFinished() || found.size() >= most || System.nanoTime() - end > 0;
                return over ? CompletableFuture.completedFuture(true) : next(master, args, page, end);
            });
        }

        private void collect(KeyScanCursor<byte[]> page) {
            for (byte[] key : page.getKeys()) {
                String text = new String(key, StandardCharsets.UTF_8);
                String name = decode(text.substring(before.length(), text.length() - after.length()));
                if (found.size() < most) {
                    found.add(name);
                }
            }
        }
    }

    /** As Keys writes names: braces and percent signs are escaped. */
    private static String decode(String encoded) {
        return encoded.replace("%7B", "{").replace("%7D", "}").replace("%25", "%");
    }
}
