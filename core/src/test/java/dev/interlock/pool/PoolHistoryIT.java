// SPDX-License-Identifier: Apache-2.0
package dev.interlock.pool;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.interlock.Interlock;
import dev.interlock.Topology;
import dev.interlock.pool.PoolEvent.Kind;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/** Many callers of two nodes at once, with holds that end under their hands; then every answer is held against the events. */
class PoolHistoryIT extends PoolFixture {
    private static final int WORKERS = 8;
    private static final int OPERATIONS = 800;
    private static final int LIMIT = 3;

    private final long seed = System.nanoTime();
    private final Map<String, Long> acknowledged = new ConcurrentHashMap<>();
    private final Queue<Instant[]> refusals = new ConcurrentLinkedQueue<>();
    private final Queue<HoldResult.Held> held = new ConcurrentLinkedQueue<>();

    PoolHistoryIT() {
        super(Topology.STANDALONE);
    }

    @Test
    void everyAnswerIsTrueAndNothingIsSoldTwice() {
        System.out.println("seed " + seed);
        Pool pool = created(PoolConfig.of(40).withLimitPerUser(LIMIT));
        try (Interlock other = Topology.connect(server)) {
            List<CompletableFuture<Void>> workers = new ArrayList<>();
            for (int i = 0; i < WORKERS; i++) {
                int worker = i;
                Pool node = i % 2 == 0 ? pool : other.pool(((BlockingPool) pool).name());
                workers.add(CompletableFuture.runAsync(() -> work(node, worker, new Random(seed + worker)), task -> {
                    Thread thread = new Thread(task, "worker-" + worker);
                    thread.start();
                }));
            }
            workers.forEach(CompletableFuture::join);
        }
        await().atMost(Duration.ofSeconds(5))
                .until(() -> pool.state().orElseThrow().held() == 0);

        PoolHistory history = new PoolHistory(HoldsContract.events(pool.outbox())).check(LIMIT);
        Map<String, Long> recorded = history.events.stream()
                .filter(event -> event.kind() == Kind.ISSUED || event.kind() == Kind.HELD)
                .collect(Collectors.toMap(
                        event -> event.kind() + " " + event.claim().userId() + " "
                                + event.claim().requestId() + " "
                                + (event.hold() == null ? 0 : event.claim().nth()),
                        event -> event.position().sequence(),
                        (first, second) -> Math.min(first, second)));
        assertThat(recorded).as("acknowledged ⊆ events").containsAllEntriesOf(acknowledged);
        assertThat(refusals)
                .isNotEmpty()
                .allSatisfy(call -> assertThat(history.wasEmpty(call[0].minus(Duration.ofSeconds(1)), call[1]))
                        .as("C2: sold out between %s and %s", call[0], call[1])
                        .isTrue());
        for (Kind kind : List.of(Kind.ISSUED, Kind.HELD, Kind.CANCELLED, Kind.EXPIRED, Kind.RESTOCKED)) {
            assertThat(history.of(kind)).as("the run was worth it: %s", kind).hasSizeGreaterThan(3);
        }
    }

    private void work(Pool pool, int worker, Random random) {
        for (int i = 0; i < OPERATIONS; i++) {
            String user = "user" + random.nextInt(200);
            String request = "r" + worker + '-' + i;
            switch (random.nextInt(10)) {
                case 0, 1, 2, 3 -> issue(pool, user, request);
                case 4, 5, 6 -> hold(pool, user, request, random);
                case 7 -> withHold(pool.holds()::confirm);
                case 8 -> withHold(pool.holds()::cancel);
                default -> {
                    if (i % 4 == 0) {
                        pool.control().restock(1 + random.nextInt(4), request);
                    }
                }
            }
        }
    }

    private void issue(Pool pool, String user, String request) {
        Instant start = Instant.now();
        IssueResult result = pool.issue(user, request);
        if (result instanceof IssueResult.Issued issued) {
            acknowledged.put("ISSUED " + user + ' ' + request + " 0", issued.sequence());
        } else if (result instanceof IssueResult.SoldOut) {
            refusals.add(new Instant[] {start, Instant.now()});
        }
    }

    private void hold(Pool pool, String user, String request, Random random) {
        Instant start = Instant.now();
        Duration ttl = Duration.ofMillis(1 + random.nextInt(20));
        HoldResult result = pool.holds().hold(user, 1 + random.nextInt(2), ttl, request);
        if (result instanceof HoldResult.Held made) {
            acknowledged.put("HELD " + user + ' ' + request + " 0", made.sequence());
            held.add(made);
        } else if (result instanceof HoldResult.SoldOut) {
            refusals.add(new Instant[] {start, Instant.now()});
        }
    }

    private void withHold(java.util.function.Consumer<String> use) {
        HoldResult.Held made = held.poll();
        if (made != null) {
            use.accept(made.id());
        }
    }
}
