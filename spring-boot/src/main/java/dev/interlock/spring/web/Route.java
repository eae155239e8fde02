// SPDX-License-Identifier: Apache-2.0
package dev.interlock.spring.web;

import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.springframework.http.server.PathContainer;
import org.springframework.web.util.pattern.PathPattern;
import org.springframework.web.util.pattern.PathPatternParser;
import org.springframework.web.util.pattern.PatternParseException;

/**
 * Some requests, by path and method. Paths are matched by the parser that finds controllers, so that no spelling of a path
 * reaches a controller past its limit.
 *
 * @param pattern of the path
 * @param methods empty for all
 */
record Route(PathPattern pattern, Set<String> methods) {
    /**
     * A route as it is configured.
     *
     * @throws IllegalArgumentException if the pattern is none; the message names the property
     */
    static Route of(String property, String path, List<String> methods) {
        PathPattern pattern;
        try {
            pattern = PathPatternParser.defaultInstance.parse(path.startsWith("/") ? path : "/" + path);
        } catch (PatternParseException e) {
            throw new IllegalArgumentException(property + " is no path pattern: " + path + ": " + e.getMessage(), e);
        }
        Set<String> upper = new HashSet<>();
        methods.forEach(method -> upper.add(method.toUpperCase(Locale.ROOT)));
        if (upper.contains("GET")) {
            upper.add("HEAD");
        }
        return new Route(pattern, Set.copyOf(upper));
    }

    /** The variables of the path if the request is one of these, else null. */
    @Nullable
    Map<String, String> match(String method, PathContainer path) {
        if (!methods.isEmpty() && !methods.contains(method)) {
            return null;
        }
        PathPattern.PathMatchInfo info = pattern.matchAndExtract(path);
        return info == null ? null : info.getUriVariables();
    }
}
