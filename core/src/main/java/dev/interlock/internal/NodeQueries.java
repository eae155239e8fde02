// SPDX-License-Identifier: Apache-2.0
package dev.interlock.internal;

import io.lettuce.core.LettuceFutures;
import io.lettuce.core.api.StatefulRedisConnection;
import io.lettuce.core.protocol.CommandArgs;
import io.lettuce.core.protocol.CommandType;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Questions about one node. */
public final class NodeQueries {
    private static final String ADDRESS = "laddr=";
    private static final int MOST_WORDS = 4;
    private static final int SLOW_ENTRIES = 128;
    private static final Set<String> SCRIPTS = Set.of("EVAL", "EVALSHA", "EVAL_RO", "EVALSHA_RO", "FCALL", "FCALL_RO");

    private NodeQueries() {}

    /**
     * Where a node listens, as this connection reached it.
     *
     * @param node a connection to it
     * @return host and port
     */
    public static CompletionStage<String> address(StatefulRedisConnection<byte[], byte[]> node) {
        return node.async()
                .clientInfo()
                .thenApply(info -> Arrays.stream(info.split(" "))
                        .filter(field -> field.startsWith(ADDRESS))
                        .map(field -> field.substring(ADDRESS.length()))
                        .findFirst()
                        .orElse("?"));
    }

    /**
     * The function libraries of a node.
     *
     * @param node a connection to it
     * @param prefix what their names begin with, without special signs of patterns
     * @return the names
     */
    public static CompletionStage<Set<String>> libraries(StatefulRedisConnection<byte[], byte[]> node, String prefix) {
        return node.async().functionList(prefix + '*').thenApply(libraries -> {
            Set<String> names = new TreeSet<>();
            libraries.forEach(library -> names.add(text(Objects.requireNonNull(library.get("library_name")))));
            return names;
        });
    }

    /**
     * The share of scripts in a node's slow log.
     *
     * @param node a connection to it
     * @return 0 to 1, 0 if nothing was slow
     */
    public static CompletionStage<Double> slowScripts(StatefulRedisConnection<byte[], byte[]> node) {
        return node.async()
                .slowlogGet(SLOW_ENTRIES)
                .thenApply(entries -> entries.isEmpty()
                        ? 0
                        : (double) entries.stream()
                                        .filter(NodeQueries::isScript)
                                        .count()
                                / entries.size());
    }

    /** An entry is number, time, microseconds and the words of the command, then more. */
    private static boolean isScript(Object entry) {
        return entry instanceof List<?> fields
                && fields.size() > 3
                && fields.get(3) instanceof List<?> words
                && !words.isEmpty()
                && SCRIPTS.contains(text(words.get(0)).toUpperCase(Locale.ROOT));
    }

    /**
     * The script or function that keeps a node busy.
     *
     * @param node a connection to it
     * @return its name or digest, how it was called, and since when; or that none runs
     */
    public static CompletionStage<String> runningScript(StatefulRedisConnection<byte[], byte[]> node) {
        return ask(node, CommandType.FUNCTION, "STATS").thenApply(reply -> {
            Object running = field(reply, "running_script");
            if (running == null) {
                return "it has ended meanwhile";
            }
            return text(field(running, "name")) + ", for " + field(running, "duration_ms") + " ms, called as "
                    + words(field(running, "command"));
        });
    }

    /**
     * Whether a node belongs to a cluster. A node answers this also while a script keeps it busy.
     *
     * @param node a connection to it
     * @return true for a cluster of any size
     * @throws io.lettuce.core.RedisException if it does not answer in time
     */
    static boolean isClusterNode(StatefulRedisConnection<byte[], byte[]> node) {
        RedisCall hello = ask(node, CommandType.HELLO);
        Object reply = LettuceFutures.awaitOrCancel(hello, node.getTimeout().toNanos(), TimeUnit.NANOSECONDS);
        return "cluster".equals(text(field(reply, "mode")));
    }

    private static RedisCall ask(StatefulRedisConnection<byte[], byte[]> node, CommandType command, String... words) {
        CommandArgs<byte[], byte[]> args = RedisCall.args();
        for (String word : words) {
            args.add(word);
        }
        RedisCall call = new RedisCall(command, args);
        node.dispatch(call);
        return call;
    }

    /** A field of a map, which comes as a list of names and values. */
    private static @Nullable Object field(@Nullable Object reply, String name) {
        if (reply instanceof List<?> list) {
            for (int i = 0; i + 1 < list.size(); i += 2) {
                if (name.equals(text(list.get(i)))) {
                    return list.get(i + 1);
                }
            }
        }
        return null;
    }

    private static String words(@Nullable Object reply) {
        return reply instanceof List<?> list
                ? list.stream().limit(MOST_WORDS).map(NodeQueries::text).collect(Collectors.joining(" "))
                : text(reply);
    }

    private static String text(@Nullable Object value) {
        return value instanceof byte[] bytes ? new String(bytes, StandardCharsets.UTF_8) : String.valueOf(value);
    }
}
