// SPDX-License-Identifier: Apache-2.0
package dev.interlock.internal;

import io.lettuce.core.api.StatefulRedisConnection;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.CompletionStage;

/** Questions about one node. */
public final class NodeQueries {
    private static final String ADDRESS = "laddr=";

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

    private static String text(Object value) {
        return value instanceof byte[] bytes ? new String(bytes, StandardCharsets.UTF_8) : String.valueOf(value);
    }
}
