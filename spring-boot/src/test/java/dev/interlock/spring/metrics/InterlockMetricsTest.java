// SPDX-License-Identifier: Apache-2.0
package dev.interlock.spring.metrics;

import static org.assertj.core.api.Assertions.assertThat;

import dev.interlock.InterlockListener;
import dev.interlock.InterlockListener.Outcome;
import dev.interlock.Operation;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tag;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.micrometer.observation.ObservationRegistry;
import io.micrometer.observation.tck.TestObservationRegistry;
import io.micrometer.observation.tck.TestObservationRegistryAssert;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.support.StaticListableBeanFactory;

class InterlockMetricsTest {
    private static final Path TABLE = Path.of("../docs/metrics.md");

    private final MeterRegistry registry = new SimpleMeterRegistry();
    private final InterlockMetrics metrics = new InterlockMetrics();

    private void everythingHappens() {
        metrics.bindTo(registry);
        for (Operation operation : Operation.values()) {
            metrics.operationEnded(operation, operation.outcomes().get(0), 1_000);
        }
        metrics.scriptCompleted("lock/acquire", Outcome.DONE, 1_000);
        metrics.scriptReloaded("lock/acquire");
        metrics.scriptResent("lock/acquire");
        metrics.crossSlotRefused("lock/acquire");
        new ServerMetrics(() -> CompletableFuture.completedFuture(0.5)).bindTo(registry);
    }

    @Test
    void theShareOfSlowScriptsIsLookedAtWithoutWaitingAndSeldom() {
        AtomicInteger looks = new AtomicInteger();
        CompletableFuture<Double> look = new CompletableFuture<>();
        new ServerMetrics(() -> {
                    looks.incrementAndGet();
                    return look;
                })
                .bindTo(registry);
        Gauge gauge = registry.get("interlock.server.slowlog.scripts").gauge();
        assertThat(gauge.value()).isNaN();
        look.complete(0.25);
        assertThat(gauge.value()).isEqualTo(0.25);
        assertThat(looks).hasValue(1);
    }

    /** "| `name` | kind | tags and their values | ...". */
    private static String row(Meter.Id id, Set<String> outcomes) {
        String kind = id.getType().name().toLowerCase(Locale.ROOT);
        String tags = id.getTags().stream()
                .map(Tag::getKey)
                .sorted()
                .map(key -> key.equals("outcome") ? "outcome: " + String.join(", ", outcomes) : key)
                .collect(Collectors.joining("; "));
        return "| `" + id.getName() + "` | " + kind + " | " + tags + " |";
    }

    @Test
    void theTableListsExactlyTheMetersThatExist() throws Exception {
        everythingHappens();
        Set<String> rows = new TreeSet<>();
        for (Meter meter : registry.getMeters()) {
            Set<String> outcomes = registry.get(meter.getId().getName()).meters().stream()
                    .map(same -> String.valueOf(same.getId().getTag("outcome")))
                    .collect(Collectors.toCollection(TreeSet::new));
            rows.add(row(meter.getId(), outcomes));
        }
        Set<String> listed = Files.readAllLines(TABLE).stream()
                .filter(line -> line.startsWith("| `interlock."))
                .map(line -> line.substring(0, line.lastIndexOf('|', line.length() - 2) + 1))
                .collect(Collectors.toCollection(TreeSet::new));
        assertThat(listed).isEqualTo(rows);
    }

    @Test
    void everyOutcomeIsThereOnceTheOperationHappened() {
        metrics.bindTo(registry);
        assertThat(registry.find("interlock.lock.acquire").meters()).isEmpty();
        metrics.operationEnded(Operation.LOCK_ACQUIRE, "granted", 5_000);
        assertThat(registry.get("interlock.lock.acquire").timers()).hasSameSizeAs(Operation.LOCK_ACQUIRE.outcomes());
        assertThat(registry.get("interlock.lock.acquire")
                        .tag("outcome", "granted")
                        .timer()
                        .totalTime(TimeUnit.NANOSECONDS))
                .isEqualTo(5_000);
        metrics.operationEnded(Operation.LOCK_RENEW, "failed", 0);
        assertThat(registry.get("interlock.lock.renew")
                        .tag("outcome", "failed")
                        .counter()
                        .count())
                .isEqualTo(1);
    }

    @Test
    void scriptsThatAreMadeUpDoNotFloodTheRegistry() {
        metrics.bindTo(registry);
        for (int i = 0; i < 1_000; i++) {
            metrics.scriptCompleted("made-up-" + i, Outcome.BUSY, 1);
        }
        assertThat(registry.get("interlock.script.run").tag("outcome", "busy").timers())
                .hasSize(201);
        assertThat(registry.get("interlock.script.run")
                        .tags("script", "other", "outcome", "busy")
                        .timer()
                        .count())
                .isEqualTo(800);
    }

    @Test
    void countsTheLimitersThatAreAway() {
        metrics.bindTo(registry);
        metrics.limiterAway("api");
        metrics.limiterAway("login");
        metrics.limiterBack("api");
        assertThat(registry.get("interlock.limiter.away").gauge().value()).isEqualTo(1);
    }

    @Test
    void countsNothingBeforeItIsBound() {
        metrics.operationEnded(Operation.LOCK_RENEW, "failed", 0);
        metrics.scriptReloaded("lock/acquire");
        metrics.bindTo(registry);
        assertThat(registry.getMeters()).hasSize(1);
    }

    @Test
    void observesOperationsWithFewKeyValues() {
        TestObservationRegistry observed = TestObservationRegistry.create();
        StaticListableBeanFactory beans = new StaticListableBeanFactory();
        beans.addBean("registry", observed);
        InterlockListener.Ending ending = new InterlockObservations(beans.getBeanProvider(ObservationRegistry.class))
                .operationStarted(Operation.POOL_ISSUE);
        ending.ended("sold_out");
        TestObservationRegistryAssert.assertThat(observed)
                .hasSingleObservationThat()
                .hasNameEqualTo(InterlockObservations.NAME)
                .hasContextualNameEqualTo("pool issue")
                .hasLowCardinalityKeyValue("primitive", "pool")
                .hasLowCardinalityKeyValue("outcome", "sold_out")
                .hasBeenStopped();
    }
}
