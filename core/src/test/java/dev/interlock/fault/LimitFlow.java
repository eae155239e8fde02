// SPDX-License-Identifier: Apache-2.0
package dev.interlock.fault;

import static org.assertj.core.api.Assertions.assertThat;

import dev.interlock.Interlock;
import dev.interlock.NotExecutedException;
import dev.interlock.limit.Decision;
import dev.interlock.limit.Limit;
import dev.interlock.limit.RateLimiter;
import dev.interlock.limit.RateLimiterOptions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** Asks a limiter for more than it gives: what surely passed within one window is never more than its limit. */
final class LimitFlow extends Flow {
    private static final int LIMIT = 10;
    private static final Duration WINDOW = Duration.ofMillis(250);

    private record Pass(long from, long to) {}

    private final RateLimiter limiter;
    private final List<Pass> passes = new ArrayList<>();

    LimitFlow(String name, Interlock interlock, String tag, Duration deadline) {
        super(name);
        limiter = interlock.rateLimiter(
                tag, RateLimiterOptions.DEFAULT.withDeadline(deadline), Limit.slidingWindow(LIMIT, WINDOW));
    }

    @Override
    String ask(String requestId) {
        long from = System.nanoTime();
        Decision decision = limiter.tryAcquire("user");
        if (decision.origin() == Decision.Origin.OUTAGE_POLICY) {
            throw new NotExecutedException("the limiter fails closed", null);
        }
        if (decision.allowed()) {
            passes.add(new Pass(from, System.nanoTime()));
        }
        return decision.allowed() ? "allowed" : "denied";
    }

    /** A fail-over that lost acknowledged writes may let one window pass again. */
    @Override
    void verify(boolean lossless) {
        int most = 0;
        for (int first = 0; first < passes.size(); first++) {
            int inside = 0;
            long end = passes.get(first).from() + WINDOW.toNanos();
            for (int i = first; i < passes.size() && passes.get(i).from() < end; i++) {
                inside += passes.get(i).to() < end ? 1 : 0;
            }
            most = Math.max(most, inside);
        }
        assertThat(most).as("passed within one window").isBetween(1, lossless ? LIMIT : 2 * LIMIT);
    }
}
