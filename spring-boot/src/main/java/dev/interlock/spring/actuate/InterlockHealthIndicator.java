// SPDX-License-Identifier: Apache-2.0
package dev.interlock.spring.actuate;

import dev.interlock.Interlock;
import dev.interlock.limit.LimiterState;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import org.springframework.boot.health.contributor.AbstractReactiveHealthIndicator;
import org.springframework.boot.health.contributor.Health;
import reactor.core.publisher.Mono;

/**
 * DOWN says that some master does not decide: it is away, full, read-only, busy, or refuses scripts. One script call for each
 * master. How long that took, and the limiters whose outage policy answers, are details.
 */
public final class InterlockHealthIndicator extends AbstractReactiveHealthIndicator {
    private final Interlock interlock;

    /**
     * Sends nothing before it is asked.
     *
     * @param interlock whose servers to try
     */
    public InterlockHealthIndicator(Interlock interlock) {
        super("Interlock could not be asked");
        this.interlock = interlock;
    }

    @Override
    protected Mono<Health> doHealthCheck(Health.Builder builder) {
        return Mono.defer(() -> {
            long start = System.nanoTime();
            return Mono.fromCompletionStage(interlock.inventory().undecided())
                    .map(failures -> health(builder, failures, System.nanoTime() - start));
        });
    }

    private Health health(Health.Builder builder, Map<String, String> failures, long nanos) {
        builder.up().withDetail("lagMillis", TimeUnit.NANOSECONDS.toMillis(nanos));
        Map<String, Object> away = new TreeMap<>();
        for (LimiterState limiter : interlock.limiters()) {
            if (limiter.away()) {
                away.put(limiter.name(), limiter.options().outage());
            }
        }
        builder.withDetail("limitersAway", away);
        if (!failures.isEmpty()) {
            builder.down().withDetail("undecided", failures);
        }
        return builder.build();
    }
}
