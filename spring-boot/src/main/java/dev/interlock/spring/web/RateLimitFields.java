// SPDX-License-Identifier: Apache-2.0
package dev.interlock.spring.web;

import dev.interlock.limit.Decision;
import dev.interlock.limit.Limit;
import dev.interlock.spring.web.Answer.Header;
import java.math.BigInteger;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.StringJoiner;

/**
 * How a response tells the limits: RateLimit-Policy and RateLimit as structured fields (draft-ietf-httpapi-ratelimit-headers,
 * version 10), and the older X-RateLimit fields.
 */
final class RateLimitFields {
    private RateLimitFields() {}

    /**
     * A limit that was asked and its decision by Redis.
     *
     * @param policies names of its limits, in their order
     * @param limits the limits
     * @param decision the decision
     */
    record Told(List<String> policies, List<Limit> limits, Decision decision) {
        /** Name of the limit that has the fewest units left. */
        String scarcest() {
            return policies.get(Math.max(0, limits.indexOf(decision.limit())));
        }

        List<String> violated() {
            return decision.violated().stream()
                    .map(limit -> policies.get(Math.max(0, limits.indexOf(limit))))
                    .toList();
        }
    }

    static List<Header> of(List<Told> told, boolean xRateLimit) {
        if (told.isEmpty()) {
            return List.of();
        }
        StringJoiner policies = new StringJoiner(", ");
        StringJoiner left = new StringJoiner(", ");
        Told scarcest = told.get(0);
        for (Told one : told) {
            for (int i = 0; i < one.limits().size(); i++) {
                policies.add(policy(one.policies().get(i), one.limits().get(i)));
            }
            Decision decision = one.decision();
            left.add(quoted(one.scarcest()) + ";r=" + decision.remaining() + ";t=" + untilMore(decision));
            if (decision.remaining() < scarcest.decision().remaining()) {
                scarcest = one;
            }
        }
        List<Header> headers = new ArrayList<>();
        headers.add(new Header("RateLimit-Policy", policies.toString()));
        headers.add(new Header("RateLimit", left.toString()));
        if (xRateLimit) {
            Decision decision = scarcest.decision();
            headers.add(new Header(
                    "X-RateLimit-Limit", Long.toString(decision.limit().most())));
            headers.add(new Header("X-RateLimit-Remaining", Long.toString(decision.remaining())));
            headers.add(new Header("X-RateLimit-Reset", Long.toString(seconds(decision.resetAfter()))));
        }
        return headers;
    }

    /** A bucket is told as its burst, in the time in which a whole burst comes back. */
    private static String policy(String name, Limit limit) {
        long micros = limit.period().toNanos() / 1000;
        if (limit instanceof Limit.Gcra gcra) {
            micros = BigInteger.valueOf(micros)
                    .multiply(BigInteger.valueOf(gcra.burst()))
                    .divide(BigInteger.valueOf(gcra.permits()))
                    .longValueExact();
        }
        return quoted(name) + ";q=" + limit.most() + ";w=" + seconds(Duration.ofNanos(micros * 1000));
    }

    /** Never later than Retry-After says. */
    private static long untilMore(Decision decision) {
        return decision.allowed() ? seconds(decision.resetAfter()) : retrySeconds(decision);
    }

    static long retrySeconds(Decision decision) {
        return seconds(decision.retryAfter());
    }

    /** Whole seconds, rounded up, at least 1: 0 would invite the client to ask again at once. */
    static long seconds(Duration time) {
        return Math.max(1, time.plusNanos(999_999_999).toSeconds());
    }

    /** Names are checked to hold neither quotes nor backslashes. */
    private static String quoted(String name) {
        return '"' + name + '"';
    }
}
