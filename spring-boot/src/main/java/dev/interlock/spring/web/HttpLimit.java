// SPDX-License-Identifier: Apache-2.0
package dev.interlock.spring.web;

import dev.interlock.Interlock;
import dev.interlock.limit.Limit;
import dev.interlock.limit.RateLimiter;
import dev.interlock.limit.RateLimiterOptions;
import dev.interlock.limit.RateLimiterOptions.Outage;
import dev.interlock.spring.limit.LimitText;
import dev.interlock.spring.web.HttpProperties.RouteLimit;
import java.util.ArrayList;
import java.util.List;

/**
 * One configured limit, checked, with its limiter.
 *
 * @param name of the limit
 * @param route requests that it is for
 * @param key whose limit it is
 * @param limits how much is allowed
 * @param policies how the limits are called in responses
 * @param limiter counts
 * @param settings the rest
 */
record HttpLimit(
        String name,
        Route route,
        KeySource key,
        List<Limit> limits,
        List<String> policies,
        RateLimiter limiter,
        RouteLimit settings) {
    private static final String NAME = "[A-Za-z0-9 _.:/*{}-]{1,64}";

    /**
     * Reads one.
     *
     * @param property where it stands, for messages
     * @throws IllegalArgumentException if a setting breaks a rule; the message names the property
     */
    static HttpLimit of(String property, RouteLimit settings, ClientAddresses addresses, Interlock interlock) {
        String given = settings.name();
        String name = given == null ? settings.path() : given;
        if (!name.matches(NAME)) {
            throw new IllegalArgumentException(property + ".name must be 1 to 64 letters, digits, blanks and the signs"
                    + " _ . : / * { } - but is " + name);
        }
        Route route = Route.of(property + ".path", settings.path(), settings.method());
        List<Limit> limits = new ArrayList<>();
        List<String> policies = new ArrayList<>();
        for (String text : settings.limit()) {
            limits.add(limit(property, settings, text));
            policies.add(settings.limit().size() == 1 ? name : name + " " + text.replaceAll(" .*", ""));
        }
        RateLimiterOptions options = options(property, settings);
        RateLimiter limiter;
        try {
            limiter = interlock.rateLimiter("http:" + name, options, limits.toArray(Limit[]::new));
        } catch (IllegalArgumentException e) {
            throw new IllegalArgumentException(property + ".limit: " + e.getMessage(), e);
        }
        KeySource key = KeySource.of(property + ".key", settings.key(), route.pattern(), addresses);
        return new HttpLimit(name, route, key, limits, policies, limiter, settings);
    }

    private static Limit limit(String property, RouteLimit settings, String text) {
        Limit limit;
        try {
            limit = LimitText.parse(text, settings.algorithm());
        } catch (IllegalArgumentException e) {
            throw new IllegalArgumentException(property + ".limit: " + e.getMessage(), e);
        }
        if (settings.cost() < 1 || settings.cost() > limit.most()) {
            throw new IllegalArgumentException(property + ".cost must be from 1 to " + limit.most()
                    + ", what the limit can give at most, but is " + settings.cost());
        }
        return limit;
    }

    private static RateLimiterOptions options(String property, RouteLimit settings) {
        try {
            return new RateLimiterOptions(
                    settings.outage(),
                    settings.expectedNodes(),
                    settings.deadline(),
                    RateLimiterOptions.DEFAULT_DENIAL_CACHE_SIZE);
        } catch (IllegalArgumentException e) {
            throw new IllegalArgumentException(property + ": " + e.getMessage(), e);
        }
    }

    /** Whether a request passes that cannot be judged. */
    boolean passesUnjudged() {
        return settings.outage() == Outage.FAIL_OPEN;
    }
}
