// SPDX-License-Identifier: Apache-2.0
package dev.interlock.flashsale.serve.recording;

import dev.interlock.ledger.DeadEvent;
import dev.interlock.ledger.LedgerListener;
import dev.interlock.ledger.ReconcileResult;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import java.util.Collection;
import org.springframework.stereotype.Component;

/** Counts what relays and checks tell. */
@Component
final class RecordingMeters {
    private final MeterRegistry registry;
    private final Counter recorded;
    private final Counter dead;
    private final Counter lost;
    private final Counter published;
    private final Counter unpublished;

    RecordingMeters(MeterRegistry registry) {
        this.registry = registry;
        recorded = Counter.builder("flashsale.recording.events")
                .description("Events recorded in the database by this process")
                .register(registry);
        dead = Counter.builder("flashsale.recording.dead")
                .description("Events that the database refused and that were set aside")
                .register(registry);
        lost = Counter.builder("flashsale.recording.lost")
                .description("Alarms: events lost before they were recorded, or Redis went back in time")
                .register(registry);
        published = Counter.builder("flashsale.publishing.events")
                .description("Events published to Kafka by this process")
                .register(registry);
        unpublished = Counter.builder("flashsale.publishing.alarms")
                .description("Alarms: publishing to Kafka began to fail; it is tried again")
                .register(registry);
        for (String outcome : new String[] {"consistent", "drifted", "miscounted", "lagging", "other"}) {
            checks(outcome);
        }
    }

    private Counter checks(String outcome) {
        return Counter.builder("flashsale.reconcile.checks")
                .description("Checks of Redis against the database")
                .tag("outcome", outcome)
                .register(registry);
    }

    void watch(Collection<RecordedPool> pools) {
        Gauge.builder(
                        "flashsale.recording.lag",
                        pools,
                        all -> all.stream()
                                .mapToLong(pool -> pool.status().lag())
                                .max()
                                .orElse(0))
                .description("Events that wait to be recorded, in the pool with the most")
                .register(registry);
    }

    LedgerListener listener() {
        return new LedgerListener() {
            @Override
            public void recorded(int events, long lag) {
                recorded.increment(events);
            }

            @Override
            public void poison(DeadEvent event) {
                dead.increment();
            }

            @Override
            public void lostEvents(long from, long to) {
                lost.increment();
            }

            @Override
            public void unrecoverable(long from, long to) {
                lost.increment();
            }

            @Override
            public void regressed(long recordedSequence, long found) {
                lost.increment();
            }

            @Override
            public void published(String pool, int events) {
                published.increment(events);
            }

            @Override
            public void publishingFailed(Throwable error) {
                unpublished.increment();
            }

            @Override
            public void reconciled(ReconcileResult result) {
                checks(outcome(result)).increment();
            }
        };
    }

    private static String outcome(ReconcileResult result) {
        if (result instanceof ReconcileResult.Consistent) {
            return "consistent";
        }
        if (result instanceof ReconcileResult.Drifted) {
            return "drifted";
        }
        if (result instanceof ReconcileResult.Miscounted) {
            return "miscounted";
        }
        return result instanceof ReconcileResult.Lagging ? "lagging" : "other";
    }
}
