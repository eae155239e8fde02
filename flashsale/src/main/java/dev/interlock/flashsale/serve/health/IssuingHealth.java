// SPDX-License-Identifier: Apache-2.0
package dev.interlock.flashsale.serve.health;

import dev.interlock.Interlock;
import dev.interlock.flashsale.serve.recording.Recorder;
import dev.interlock.pool.Pool;
import org.springframework.boot.health.contributor.Health;
import org.springframework.boot.health.contributor.ReactiveHealthIndicator;
import org.springframework.stereotype.Component;
import reactor.core.publisher.Mono;

/**
 * Readiness: up as long as units can be issued, that is, Redis answers and the database is not too far behind. A database that
 * is away does not make it down at once: units are issued on until the backlog limit.
 */
@Component("issuingHealthIndicator")
final class IssuingHealth implements ReactiveHealthIndicator {
    /** No campaign or product has this name. */
    private static final String PROBE = "probe";

    private final Pool probe;
    private final Recorder recorder;

    IssuingHealth(Interlock interlock, Recorder recorder) {
        this.probe = interlock.pool(PROBE);
        this.recorder = recorder;
    }

    @Override
    public Mono<Health> health() {
        return probe.reactive()
                .state()
                .then(Mono.fromSupplier(() -> recorder.behind()
                        ? Health.down().withDetail("database", "too far behind").build()
                        : Health.up().build()))
                .onErrorResume(error -> Mono.just(
                        Health.down().withDetail("redis", error.getClass().getSimpleName()).build()));
    }
}
