// SPDX-License-Identifier: Apache-2.0
package dev.interlock.spring.web;

import java.util.List;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.springframework.http.HttpHeaders;
import org.springframework.http.server.PathContainer;

/**
 * What is decided about, in the words of no framework.
 *
 * @param method HTTP method
 * @param path raw path, with the context path
 * @param query raw query, or empty
 * @param headers gives all values of a header
 * @param principal name of the authenticated user, or null
 * @param remoteAddress address of the connection, or empty if unknown
 */
record RequestFacts(
        String method,
        String path,
        String query,
        Function<String, List<String>> headers,
        @Nullable String principal,
        String remoteAddress) {
    static final String BAD_PATH = "The path is not percent-encoded as it should be";

    /**
     * The path as routes match it: by segments, decoded.
     *
     * @throws IllegalArgumentException if it cannot be decoded
     */
    PathContainer parsedPath() {
        return PathContainer.parsePath(path);
    }

    /** The first value of a header. */
    @Nullable
    String header(String name) {
        List<String> values = headers.apply(name);
        return values.isEmpty() ? null : values.get(0);
    }

    /** A browser's question whether it may ask: it does nothing, and a refusal would be taken for a broken site. */
    boolean isPreFlight() {
        return method.equals("OPTIONS")
                && header(HttpHeaders.ORIGIN) != null
                && header(HttpHeaders.ACCESS_CONTROL_REQUEST_METHOD) != null;
    }
}
