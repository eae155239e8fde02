// SPDX-License-Identifier: Apache-2.0
package dev.interlock.limit;

import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** What a {@link RateLimiter} decided about one request. Immutable; also the receipt for a refund. */
public final class Decision {
    /** {@link #retryAfter()} of a request for more than the limit can ever give. */
    public static final Duration NEVER = ChronoUnit.FOREVER.getDuration();

    static final long NEVER_MICROS = -1;

    /** Who decided. */
    public enum Origin {
        /** Redis. */
        REDIS,
        /** This JVM, which knew that Redis would deny. */
        DENIAL_CACHE,
        /** The outage policy, because Redis did not answer in time. */
        OUTAGE_POLICY
    }

    private final Verdict verdict;
    private final Limit limit;
    private final List<Limit> violated;
    private final Origin origin;
    private final @Nullable Receipt receipt;

    Decision(Verdict verdict, Limit limit, List<Limit> violated, Origin origin, @Nullable Receipt receipt) {
        this.verdict = verdict;
        this.limit = limit;
        this.violated = violated;
        this.origin = origin;
        this.receipt = receipt;
    }

    /**
     * The numbers of a decision; times in microseconds, for a wait that was granted from its end.
     *
     * @param allowed whether it was allowed
     * @param remaining units left
     * @param retryMicros -1 for never
     * @param resetMicros until all is unused
     * @param waitMicros how long an allowed request must wait before it goes on
     */
    record Verdict(boolean allowed, long remaining, long retryMicros, long resetMicros, long waitMicros) {
        /** There is none, because a key holds another type. */
        static final Verdict BROKEN = new Verdict(false, -1, 0, 0, 0);
    }

    /**
     * Whether the request was allowed. If not, nothing was taken from any limit.
     *
     * @return true if it was
     */
    public boolean allowed() {
        return verdict.allowed;
    }

    /**
     * Units left after this decision, in the limit with the fewest.
     *
     * @return 0 or more
     */
    public long remaining() {
        return verdict.remaining;
    }

    /**
     * How long until the same request would be allowed if nobody took anything in between: to the microsecond, and the
     * longest of all limits. Zero if it was allowed, {@link #NEVER} if it asks for more than a limit can ever give.
     *
     * @return the time
     */
    public Duration retryAfter() {
        return verdict.retryMicros == NEVER_MICROS ? NEVER : micros(verdict.retryMicros);
    }

    /**
     * How long until everything that is used is back, in the limit that takes longest. In a sliding-window log an allowed
     * request does not count itself unless it is the first.
     *
     * @return the time
     */
    public Duration resetAfter() {
        return micros(verdict.resetMicros);
    }

    /**
     * The limit with the fewest units left.
     *
     * @return the limit
     */
    public Limit limit() {
        return limit;
    }

    /**
     * The limits that denied.
     *
     * @return the limits in their order; empty if the request was allowed
     */
    public List<Limit> violated() {
        return violated;
    }

    /**
     * Who decided.
     *
     * @return Redis or a stand-in
     */
    public Origin origin() {
        return origin;
    }

    @Nullable
    Receipt receipt() {
        return receipt;
    }

    /** For listeners. */
    String outcome() {
        return switch (origin) {
            case REDIS -> allowed() ? "allowed" : "denied";
            case DENIAL_CACHE -> "denied_locally";
            case OUTAGE_POLICY -> allowed() ? "outage_allowed" : "outage_denied";
        };
    }

    Verdict verdict() {
        return verdict;
    }

    /** The same, known before and asked again a while later. */
    Decision again(long retryMicros, long elapsedMicros) {
        long reset = Math.max(retryMicros, verdict.resetMicros - elapsedMicros);
        return new Decision(
                new Verdict(false, verdict.remaining, retryMicros, reset, 0),
                limit,
                violated,
                Origin.DENIAL_CACHE,
                null);
    }

    private static Duration micros(long micros) {
        return Duration.of(micros, ChronoUnit.MICROS);
    }

    @Override
    public String toString() {
        return (allowed() ? "allowed" : "denied") + " by " + origin + ", remaining " + remaining() + ", retry after "
                + retryAfter() + ", reset after " + resetAfter() + (violated.isEmpty() ? "" : ", violated " + violated);
    }
}
