// SPDX-License-Identifier: Apache-2.0
package dev.interlock.spring.web;

/** Told about every decision on a request, for metrics. Called on I/O threads: must return at once. */
@FunctionalInterface
public interface HttpLimitListener {
    /** What a request met. */
    enum Outcome {
        /** It was allowed. */
        ALLOWED,
        /** It was denied, with 429. */
        DENIED,
        /** A limit that only measures would have denied it. */
        SHADOW_DENIED,
        /** Redis was away and the outage policy let it pass. */
        PASSED,
        /** Redis was away and it was refused, with 503. */
        UNAVAILABLE,
        /** Its key broke a rule, so it was refused, with 400. */
        BAD_KEY
    }

    /**
     * One limit judged one request.
     *
     * @param limit name of the limit, as configured
     * @param outcome what came out
     */
    void judged(String limit, Outcome outcome);
}
