// SPDX-License-Identifier: Apache-2.0
package dev.interlock.limit;

import dev.interlock.internal.Engine;
import java.util.Comparator;
import java.util.List;

/**
 * A limiter that this JVM uses, as it is at this moment.
 *
 * @param name its name
 * @param limits its limits
 * @param options how it behaves beside them
 * @param away whether Redis does not answer it, so that its outage policy decides
 */
public record LimiterState(String name, List<Limit> limits, RateLimiterOptions options, boolean away) {
    /**
     * Made by {@link dev.interlock.Interlock#limiters()}.
     *
     * @param engine runtime resources
     * @return the limiters of its Interlock, by name
     */
    public static List<LimiterState> all(Engine engine) {
        return engine.shared(BlockingRateLimiter.class).stream()
                .map(limiter -> limiter.calls().state())
                .sorted(Comparator.comparing(LimiterState::name))
                .toList();
    }
}
