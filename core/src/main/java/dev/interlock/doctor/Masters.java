// SPDX-License-Identifier: Apache-2.0
package dev.interlock.doctor;

import dev.interlock.internal.Engine;
import io.lettuce.core.api.StatefulRedisConnection;
import java.nio.charset.StandardCharsets;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** Asks all masters at once; an answer that does not come in time, or is denied, is none. */
final class Masters {
    static final long PATIENCE_MILLIS = 2_000;

    private static final Pattern ADDRESS = Pattern.compile(" laddr=(\\S+)");

    private final Engine engine;

    Masters(Engine engine) {
        this.engine = engine;
    }

    /** Does the same with each master; fails if one cannot be reached. */
    <T> CompletableFuture<List<T>> each(
            Function<StatefulRedisConnection<byte[], byte[]>, ? extends CompletionStage<T>> ask) {
        List<CompletableFuture<T>> asked = engine.masters().stream()
                .map(master -> master.thenCompose(ask).toCompletableFuture())
                .toList();
        return CompletableFuture.allOf(asked.toArray(CompletableFuture[]::new))
                .orTimeout(2 * PATIENCE_MILLIS, TimeUnit.MILLISECONDS)
                .thenApply(done -> asked.stream().map(CompletableFuture::join).toList());
    }

    static <T> CompletableFuture<Optional<T>> patiently(CompletionStage<T> answer) {
        return answer.toCompletableFuture()
                .copy()
                .orTimeout(PATIENCE_MILLIS, TimeUnit.MILLISECONDS)
                .handle((value, error) -> error == null ? Optional.ofNullable(value) : Optional.empty());
    }

    /** What a master tells about itself. */
    static CompletionStage<NodeFacts> facts(StatefulRedisConnection<byte[], byte[]> master) {
        CompletableFuture<Optional<String>> info = patiently(master.async().info());
        CompletableFuture<Optional<String>> user = patiently(master.async().aclWhoami());
        CompletableFuture<Optional<List<Object>>> login =
                patiently(master.async().aclGetuser("default"));
        return node(master)
                .thenCombine(
                        info,
                        (node, lines) ->
                                Map.entry(node, lines.map(Masters::fields).orElse(Map.of())))
                .thenCombine(user, Map::entry)
                .thenCombine(
                        login,
                        (known, flags) -> new NodeFacts(
                                known.getKey().getKey(),
                                known.getKey().getValue(),
                                known.getValue(),
                                flags.map(Masters::open)));
    }

    /** The address of a master, as it sees it; else its connection's words. */
    static CompletableFuture<String> node(StatefulRedisConnection<byte[], byte[]> master) {
        return patiently(master.async().clientInfo())
                .thenApply(info -> info.map(ADDRESS::matcher)
                        .filter(Matcher::find)
                        .map(found -> found.group(1))
                        .orElse("a master that hides its address"));
    }

    private static Map<String, String> fields(String info) {
        Map<String, String> fields = new HashMap<>();
        info.lines().forEach(line -> {
            int colon = line.indexOf(':');
            if (colon > 0) {
                fields.put(line.substring(0, colon), line.substring(colon + 1));
            }
        });
        return fields;
    }

    private static boolean open(List<Object> user) {
        List<String> words = user.stream().flatMap(Masters::words).toList();
        return words.contains("nopass") && !words.contains("off");
    }

    private static Stream<String> words(Object reply) {
        if (reply instanceof Collection<?> several) {
            return several.stream().flatMap(Masters::words);
        }
        return Stream.of(
                reply instanceof byte[] bytes ? new String(bytes, StandardCharsets.UTF_8) : String.valueOf(reply));
    }
}
