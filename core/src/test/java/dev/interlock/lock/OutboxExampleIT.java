// SPDX-License-Identifier: Apache-2.0
package dev.interlock.lock;

import static org.assertj.core.api.Assertions.assertThat;

import dev.interlock.Interlock;
import dev.interlock.Topology;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/** Example: an outbox is processed reactively, each event under a lock of its own. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class OutboxExampleIT {
    private static final Duration LEASE = Duration.ofSeconds(30);
    private static final DateTimeFormatter DAY = DateTimeFormatter.ofPattern("yyyyMMdd");

    private Servers servers;

    @BeforeAll
    void start() {
        servers = new Servers(Topology.STANDALONE);
    }

    @AfterAll
    void stop() {
        servers.close();
    }

    private record Event(String user, String id) {}

    /** One of several processors of the same outbox. */
    private static final class Processor {
        private final Interlock interlock;
        private final Clock clock;
        private final Map<String, Long> done;
        private final List<String> names = new ArrayList<>();

        Processor(Interlock interlock, Clock clock, Map<String, Long> done) {
            this.interlock = interlock;
            this.clock = clock;
            this.done = done;
        }

        /** Empty if another processor is at it, or it was done. */
        Mono<String> process(Event event, Mono<Void> handling) {
            // The name is made once, and the lease keeps it: what the clock says at the release does not matter.
            String name =
                    "outbox:lock:" + event.user + ":" + LocalDate.now(clock).format(DAY) + ":" + event.id;
            names.add(name);
            LockOptions options = LockOptions.DEFAULTS.withLeaseTime(LEASE);
            return interlock
                    .lock(name, options)
                    .reactive()
                    .withLease(
                            Duration.ofSeconds(20),
                            lease -> done.containsKey(event.id)
                                    ? Mono.empty()
                                    : handling.then(Mono.fromCallable(() -> {
                                        lease.ensureValid();
                                        // A database would refuse an older fence here; see FenceGuard in the ledger.
                                        done.merge(event.id, lease.fence(), Math::max);
                                        return event.id;
                                    })));
        }
    }

    @Test
    void eachEventIsProcessedOnceByTwoProcessors() {
        Map<String, Long> done = new ConcurrentHashMap<>();
        String user = Topology.name("user");
        List<Event> events = new ArrayList<>();
        for (int i = 0; i < 30; i++) {
            events.add(new Event(user, "event-" + i));
        }
        Clock clock = Clock.systemUTC();
        ConcurrentLinkedQueue<String> processed = new ConcurrentLinkedQueue<>();
        Flux.just(new Processor(servers.here, clock, done), new Processor(servers.there, clock, done))
                .flatMap(processor -> Flux.fromIterable(events)
                        .flatMap(
                                event -> processor.process(
                                        event, Mono.delay(Duration.ofMillis(2)).then()),
                                8))
                .doOnNext(processed::add)
                .blockLast(Duration.ofSeconds(30));
        assertThat(processed).hasSize(30).doesNotHaveDuplicates();
        assertThat(servers.redis.keys("*" + user + "*")).allMatch(key -> key.endsWith(":fence"));
    }

    @Test
    void midnightBetweenAcquireAndReleaseIsHarmless() {
        AtomicReference<Instant> now = new AtomicReference<>(Instant.parse("2026-12-31T23:59:59Z"));
        Clock clock = new Clock() {
            @Override
            public Instant instant() {
                return now.get();
            }

            @Override
            public ZoneOffset getZone() {
                return ZoneOffset.UTC;
            }

            @Override
            public Clock withZone(ZoneId zone) {
                return this;
            }
        };
        String user = Topology.name("user");
        Processor processor = new Processor(servers.here, clock, new ConcurrentHashMap<>());
        String before = "interlock:lock:{outbox:lock:" + user + ":20261231:e}";
        String id = processor
                .process(new Event(user, "e"), Mono.fromRunnable(() -> {
                    now.set(Instant.parse("2027-01-01T00:00:01Z"));
                }))
                .block(Duration.ofSeconds(20));
        assertThat(id).isEqualTo("e");
        assertThat(processor.names).singleElement().asString().contains(":20261231:");
        assertThat(servers.redis.exists(before)).isZero();
        assertThat(servers.redis.keys("*" + user + "*")).allMatch(key -> key.endsWith(":fence"));
    }

    @Test
    void anEventThatFailsIsReleasedAndCanBeTriedAgain() {
        String user = Topology.name("user");
        Processor processor = new Processor(servers.here, Clock.systemUTC(), new ConcurrentHashMap<>());
        Event event = new Event(user, "e");
        String failure = processor
                .process(event, Mono.error(new IllegalStateException("expected by this test")))
                .onErrorResume(error -> Mono.just(String.valueOf(error.getMessage())))
                .block(Duration.ofSeconds(20));
        assertThat(failure).isEqualTo("expected by this test");
        assertThat(processor.process(event, Mono.empty()).block(Duration.ofSeconds(20)))
                .isEqualTo("e");
    }
}
