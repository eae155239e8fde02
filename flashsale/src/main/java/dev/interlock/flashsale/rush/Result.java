// SPDX-License-Identifier: Apache-2.0
package dev.interlock.flashsale.rush;

import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/**
 * What a rush found, for people and for programs.
 *
 * @param settings what was asked for
 * @param pool name of the pool
 * @param database product and version
 * @param facts what is true now
 * @param times how long it took
 */
record Result(RushSettings settings, String pool, String database, Facts facts, Times times) {
    /**
     * How long it took.
     *
     * @param decidingNanos from the first request to the last answer
     * @param recordedMillis from the last unit issued until the database had all of them
     */
    record Times(long decidingNanos, long recordedMillis) {}

    Verdict verdict() {
        return Verdict.of(facts);
    }

    /** One JSON object. Names and meanings are part of the command line's contract. */
    Map<String, Object> json() {
        Workload workload = facts.workload();
        Verdict verdict = verdict();
        Map<String, Object> json = new LinkedHashMap<>();
        json.put("pool", pool);
        json.put("coupons", workload.coupons());
        json.put("requests", workload.requests());
        json.put("users", workload.users());
        json.put("repeats", workload.repeats());
        json.put("nodes", settings.nodes());
        json.put("seed", workload.seed());
        json.put("issued", facts.redis().users());
        json.put("alreadyIssued", told(Answer.ALREADY_ISSUED));
        json.put("soldOut", told(Answer.SOLD_OUT));
        json.put("replayed", told(Answer.REPLAYED));
        json.put("unknown", told(Answer.UNKNOWN));
        json.put("oversold", facts.oversold());
        json.put("duplicateUsers", facts.database().duplicateUsers());
        json.put("recorded", facts.database().units());
        json.put("outboxPending", facts.redis().outboxPending());
        json.put("drift", facts.database().drift());
        json.put("invariantsHeld", verdict.held());
        json.put("invariants", verdict.invariants());
        json.put("elapsedMillis", elapsedMillis());
        json.put("recordedMillis", times.recordedMillis());
        json.put("decisionsPerSecond", decisionsPerSecond());
        json.put("latencyMicros", latencyMicros());
        json.put("redisVersion", facts.redis().version());
        json.put("database", database);
        return json;
    }

    private long told(Answer answer) {
        return facts.tally().count(answer);
    }

    private long elapsedMillis() {
        return TimeUnit.NANOSECONDS.toMillis(times.decidingNanos());
    }

    private long decisionsPerSecond() {
        return Math.round(facts.tally().total() * 1e9 / Math.max(1, times.decidingNanos()));
    }

    private LatencyMicros latencyMicros() {
        return LatencyMicros.of(facts.tally().nanos());
    }

    /** Several lines for a person. */
    String text() {
        Verdict verdict = verdict();
        StringBuilder out = new StringBuilder();
        line(
                out,
                "issued %,d   recorded %,d   replayed %,d   already issued %,d   sold out %,d   unknown %,d",
                facts.redis().users(),
                facts.database().units(),
                told(Answer.REPLAYED),
                told(Answer.ALREADY_ISSUED),
                told(Answer.SOLD_OUT),
                told(Answer.UNKNOWN));
        line(
                out,
                "%,d decisions in %,d ms: %,d per second; all recorded %,d ms after the last unit was issued",
                facts.tally().total(),
                elapsedMillis(),
                decisionsPerSecond(),
                times.recordedMillis());
        LatencyMicros micros = latencyMicros();
        line(
                out,
                "latency p50 %,.1f µs   p99 %,.1f µs   p99.9 %,.1f µs   max %,.1f µs",
                micros.p50(),
                micros.p99(),
                micros.p999(),
                micros.max());
        line(out, "Redis %s   %s   pool %s%s", facts.redis().version(), database, pool, kept());
        line(out, "");
        for (Invariant invariant : verdict.invariants()) {
            line(out, "%-6s %-18s %s", invariant.held() ? "ok" : "BROKEN", invariant.name(), invariant.checked());
        }
        line(out, "");
        line(out, verdict.held() ? "All invariants hold." : "An invariant is broken.");
        return out.toString();
    }

    /** On servers that stay, nothing is removed; its owner may. */
    private String kept() {
        String kept = settings.redis().isEmpty() ? "" : "keys";
        if (settings.database() != null) {
            kept += kept.isEmpty() ? "rows" : " and rows";
        }
        return kept.isEmpty() ? "" : " (its " + kept + " are kept)";
    }

    private static void line(StringBuilder out, String format, Object... parts) {
        out.append(String.format(Locale.ROOT, format, parts)).append(System.lineSeparator());
    }
}
