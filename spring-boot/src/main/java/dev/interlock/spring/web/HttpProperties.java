// SPDX-License-Identifier: Apache-2.0
package dev.interlock.spring.web;

import dev.interlock.limit.RateLimiterOptions.Outage;
import dev.interlock.spring.limit.Algorithm;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;
import org.springframework.util.unit.DataSize;

/**
 * What the HTTP filters do. Without limits and paths there are no filters.
 *
 * @param limits Limits of routes. All that match a request apply, in this order; a denied request takes nothing from any.
 * @param trustedProxies Addresses or networks, such as 10.0.0.0/8, of the proxies whose X-Forwarded-For is believed. Anybody
 *     can send that header, so without them the client's address is that of the connection. Leave it empty where
 *     server.forward-headers-strategy has the server read the header.
 * @param xRateLimit Whether to send X-RateLimit-Limit, X-RateLimit-Remaining and X-RateLimit-Reset (seconds from now) too.
 * @param idempotency Requests that are run once for the key in their header.
 */
@ConfigurationProperties("interlock.http")
public record HttpProperties(
        @DefaultValue List<RouteLimit> limits,
        @DefaultValue List<String> trustedProxies,
        @DefaultValue("false") boolean xRateLimit,
        @DefaultValue Idempotency idempotency) {
    /**
     * One limit of some routes.
     *
     * @param name Name of the policy in responses, of the limiter and of the metric; the path unless set. Limits that share a
     *     path need names.
     * @param path Path pattern as in controllers, with the context path: /api/** or /users/{id}.
     * @param method Methods that it applies to; all unless set. GET stands for HEAD too. Pre-flight requests are never
     *     limited.
     * @param key Whose limit it is: header:NAME, principal, client-address or path:VARIABLE. A request that has no such
     *     header or principal counts for its client's address.
     * @param limit How much is allowed, such as 100/1m; several are met all or none. "10/1s burst 20" for GCRA.
     * @param algorithm How it is counted.
     * @param cost Units that a request takes.
     * @param shadow Whether it only measures: nothing is denied and no header sent.
     * @param outage Who answers while Redis is away: fail-closed answers 503, fail-open lets pass, local grants this node's
     *     share.
     * @param expectedNodes Among how many nodes local shares the limit.
     * @param deadline Longest time to wait for Redis, 10 ms to 1 minute.
     */
    public record RouteLimit(
            @Nullable String name,
            String path,
            @DefaultValue List<String> method,
            @DefaultValue("client-address") String key,
            List<String> limit,
            @DefaultValue("sliding-window") Algorithm algorithm,
            @DefaultValue("1") long cost,
            @DefaultValue("false") boolean shadow,
            @DefaultValue("fail-closed") Outage outage,
            @DefaultValue("1") int expectedNodes,
            @DefaultValue("100ms") Duration deadline) {}

    /**
     * Requests that are run once for the key in their Idempotency-Key header.
     *
     * @param paths Path patterns as in controllers, with the context path; none unless set.
     * @param method Methods that it applies to.
     * @param required Whether a request without the header is refused with 400. Otherwise it is run as ever.
     * @param maxBody Longest body of a request; a longer one is refused with 413.
     * @param lease How long a key stays taken by a node that has died, 1 s to 1 hour.
     * @param responseTtl How long a response is kept, from the lease to 366 days.
     */
    public record Idempotency(
            @DefaultValue List<String> paths,
            @DefaultValue({"POST", "PATCH"}) List<String> method,
            @DefaultValue("false") boolean required,
            @DefaultValue("1MB") DataSize maxBody,
            @DefaultValue("10s") Duration lease,
            @DefaultValue("24h") Duration responseTtl) {}
}
