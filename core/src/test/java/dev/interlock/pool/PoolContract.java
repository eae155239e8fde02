// SPDX-License-Identifier: Apache-2.0
package dev.interlock.pool;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.interlock.Interlock;
import dev.interlock.Topology;
import dev.interlock.embedded.RedisServer;
import dev.interlock.pool.IssueResult.AlreadyIssued;
import dev.interlock.pool.IssueResult.Issued;
import dev.interlock.pool.IssueResult.NotOpen;
import dev.interlock.pool.IssueResult.Replayed;
import dev.interlock.pool.IssueResult.SoldOut;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** What every pool promises, in all three views; the subclasses say on which topology. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
abstract class PoolContract {
    private final Topology topology;
    private RedisServer server;
    private Interlock interlock;

    PoolContract(Topology topology) {
        this.topology = topology;
    }

    /** Ways to call the same operation. */
    enum View {
        BLOCKING,
        ASYNC,
        REACTIVE;

        IssueResult issue(Pool pool, String user, String request) {
            return switch (this) {
                case BLOCKING -> pool.issue(user, request);
                case ASYNC ->
                    pool.async().issue(user, request).toCompletableFuture().join();
                case REACTIVE -> pool.reactive().issue(user, request).block();
            };
        }
    }

    @BeforeAll
    void start() {
        server = topology.start();
        interlock = Topology.connect(server);
    }

    @AfterAll
    void stop() {
        interlock.close();
        server.close();
    }

    private Pool poolOf(long total) {
        return created(PoolConfig.of(total));
    }

    private Pool created(PoolConfig config) {
        Pool pool = interlock.pool(Topology.name("sale"));
        assertThat(pool.create(config)).isInstanceOf(CreateResult.Created.class);
        return pool;
    }

    @ParameterizedTest
    @EnumSource(View.class)
    void theLastUnitIsIssuedWithZeroLeftAndOnlyTheNextIsSoldOut(View view) {
        Pool pool = poolOf(2);
        assertThat(view.issue(pool, "a", "r1")).isEqualTo(new Issued(1, 1));
        assertThat(view.issue(pool, "b", "r2")).isEqualTo(new Issued(2, 0));
        assertThat(view.issue(pool, "c", "r3")).isEqualTo(new SoldOut());
    }

    @ParameterizedTest
    @EnumSource(View.class)
    void aWinnerWhoAsksAgainHearsHisSequenceAlsoWhenThePoolIsEmpty(View view) {
        Pool pool = poolOf(1);
        assertThat(view.issue(pool, "winner", "r1")).isEqualTo(new Issued(1, 0));
        assertThat(view.issue(pool, "loser", "r2")).isEqualTo(new SoldOut());
        assertThat(view.issue(pool, "winner", "r1")).isEqualTo(new Replayed(1));
        assertThat(view.issue(pool, "winner", "another")).isEqualTo(new AlreadyIssued(1));
    }

    @ParameterizedTest
    @EnumSource(View.class)
    void nothingIsIssuedBeforeItOpensOrAfterItCloses(View view) {
        Instant opens = Instant.now().plus(Duration.ofHours(1)).truncatedTo(java.time.temporal.ChronoUnit.MICROS);
        Pool early = created(PoolConfig.of(5).open(opens, null));
        Pool late = created(PoolConfig.of(5).open(null, Instant.now().minusSeconds(1)));
        assertThat(view.issue(early, "a", "r")).isEqualTo(new NotOpen(opens));
        assertThat(view.issue(late, "a", "r")).isEqualTo(new IssueResult.Closed());
        assertThat(view.issue(interlock.pool(Topology.name("none")), "a", "r"))
                .isEqualTo(new IssueResult.UnknownPool());
    }

    @ParameterizedTest
    @EnumSource(View.class)
    void badIdsAreRefusedBeforeAnythingIsSent(View view) {
        Pool pool = poolOf(1);
        for (String bad : new String[] {"", " a", "a\n", "a\u0000b", "\uD800", "x".repeat(513), "a\u202Eb"}) {
            assertThatThrownBy(() -> view.issue(pool, bad, "r"))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("userId");
        }
        assertThatThrownBy(() -> view.issue(pool, "a", "r".repeat(129))).hasMessageContaining("requestId");
        assertThat(pool.state().orElseThrow().sequence()).isZero();
    }

    @Test
    void tenUnitsAndAHundredCallsOfWhichHalfAreDuplicatesIssueExactlyTen() {
        Pool pool = poolOf(10);
        List<Integer> calls =
                new ArrayList<>(IntStream.range(0, 100).mapToObj(i -> i / 2).toList());
        Collections.shuffle(calls, new Random(7));
        List<IssueResult> results = calls.stream()
                .map(user -> pool.async().issue("user" + user, "request" + user).toCompletableFuture())
                .toList()
                .stream()
                .map(CompletableFuture::join)
                .toList();
        assertThat(results).filteredOn(Issued.class::isInstance).hasSize(10);
        assertThat(results)
                .filteredOn(Issued.class::isInstance)
                .extracting(result -> ((Issued) result).sequence())
                .containsExactlyInAnyOrderElementsOf(
                        LongStream.rangeClosed(1, 10).boxed().toList());
        assertThat(pool.state().orElseThrow()).isEqualTo(new PoolState(1, 10, 0, 10, false));
    }

    @Test
    void aUserGetsAsManyUnitsAsTheLimitAllows() {
        Pool pool = created(PoolConfig.of(10).withLimitPerUser(2));
        assertThat(pool.issue("u", "r1")).isEqualTo(new Issued(1, 9));
        assertThat(pool.issue("u", "r2")).isEqualTo(new Issued(2, 8));
        assertThat(pool.issue("u", "r3")).isEqualTo(new AlreadyIssued(2));
        assertThat(pool.issue("u", "r1")).isEqualTo(new Replayed(1));
    }

    @Test
    void oneBatchMayHoldTheSameUserAndTheSameRequestTwice() {
        Pool pool = created(PoolConfig.of(10).withLimitPerUser(2));
        List<CompletableFuture<IssueResult>> calls = new ArrayList<>();
        for (String request : new String[] {"x0", "x1", "r1", "r1", "r2", "r3"}) {
            String user = request.startsWith("x") ? request : "u";
            calls.add(pool.async().issue(user, request).toCompletableFuture());
        }
        assertThat(calls.stream().map(CompletableFuture::join).skip(2).toList())
                .containsExactly(new Issued(3, 7), new Replayed(3), new Issued(4, 6), new AlreadyIssued(4));
    }

    @Test
    void idsReachTheOutboxUnchanged() {
        Pool pool = poolOf(10);
        List<String> users = List.of("1760000000000000001", "00017", "a.b+c@example.org", "🎟️", "{x}", "%s%n", "a b");
        users.forEach(user -> pool.issue(user, "request of " + user));
        try (Outbox outbox = pool.outbox()) {
            List<PoolEvent> events = outbox.read(Outbox.START, 100, Duration.ZERO).stream()
                    .flatMap(entry -> entry.events().stream())
                    .toList();
            assertThat(events)
                    .extracting(event -> event.position().sequence())
                    .containsExactly(0L, 1L, 2L, 3L, 4L, 5L, 6L, 7L);
            assertThat(events).extracting(PoolEvent::delta).containsExactly(10L, -1L, -1L, -1L, -1L, -1L, -1L, -1L);
            assertThat(events.stream().skip(1))
                    .extracting(event -> event.claim().userId())
                    .containsExactlyElementsOf(users);
            assertThat(events.stream().skip(1))
                    .extracting(event -> event.claim().requestId())
                    .containsExactlyElementsOf(
                            users.stream().map(user -> "request of " + user).toList());
        }
    }

    @Test
    void aSecondCreationChangesNothing() {
        Pool pool = poolOf(3);
        pool.issue("a", "r");
        assertThat(pool.create(PoolConfig.of(1000)))
                .isEqualTo(new CreateResult.Exists(new PoolState(1, 1, 2, 1, false)));
    }

    @Test
    void anAdjustmentIsAnEventAndIsRefusedAfterAnother() {
        Pool pool = poolOf(3);
        pool.issue("a", "r");
        assertThat(pool.adjust(new Adjustment(1, 1, 2, "found two"))).isEqualTo(new AdjustResult.Adjusted(2, 4));
        assertThat(pool.adjust(new Adjustment(1, 1, 2, "found two"))).isEqualTo(new AdjustResult.Outdated(2));
        assertThat(pool.adjust(new Adjustment(2, 2, 1, "other epoch"))).isEqualTo(new AdjustResult.Outdated(2));
        assertThat(pool.adjust(new Adjustment(1, 2, -5, "more than there is"))).isEqualTo(new AdjustResult.Outdated(2));
        pool.issue("b", "r");
        assertThat(pool.adjust(new Adjustment(1, 2, -3, "ordinary events do not matter")))
                .isEqualTo(new AdjustResult.Adjusted(4, 0));
    }

    @Test
    void aUnitIsRevokedOnceAndItsUserMayHaveAnother() {
        Pool pool = created(PoolConfig.of(3).withLimitPerUser(2));
        pool.issue("a", "r1");
        pool.issue("a", "r2");
        assertThat(pool.revoke("a", 1, "wrong")).isEqualTo(new AdjustResult.Adjusted(3, 2));
        assertThat(pool.revoke("a", 1, "wrong")).isEqualTo(new AdjustResult.Outdated(3));
        assertThat(pool.revoke("b", 2, "not his")).isEqualTo(new AdjustResult.Outdated(3));
        assertThat(pool.issue("a", "r3")).isEqualTo(new Issued(4, 1));
        assertThat(pool.issue("a", "r4")).isEqualTo(new AlreadyIssued(4));
        try (Outbox outbox = pool.outbox()) {
            List<PoolEvent> events = outbox.read(Outbox.START, 100, Duration.ZERO).stream()
                    .flatMap(entry -> entry.events().stream())
                    .toList();
            assertThat(events.get(3).claim()).isEqualTo(new PoolEvent.Claim("a", "r1", 1, 1));
            assertThat(events.get(4).claim()).isEqualTo(new PoolEvent.Claim("a", "r3", 1, 4));
        }
    }

    @Test
    void aFencedPoolChangesNothingAndItsLostEventsCanBeDerived() {
        Pool pool = poolOf(5);
        pool.issue("a", "r1");
        pool.issue("b", "r2");
        pool.revoke("a", 1, "wrong");
        pool.adjust(new Adjustment(1, 3, 1, "found"));
        try (Outbox outbox = pool.outbox()) {
            List<PoolEvent> written = outbox.read(Outbox.START, 100, Duration.ZERO).stream()
                    .flatMap(entry -> entry.events().stream())
                    .toList();
            assertThat(outbox.fence(1)).isTrue();
            assertThat(pool.issue("c", "r3")).isInstanceOf(IssueResult.Rebuilding.class);
            assertThat(pool.adjust(new Adjustment(1, 4, 1, "x"))).isEqualTo(new AdjustResult.Fenced());
            assertThat(pool.revoke("b", 2, "x")).isEqualTo(new AdjustResult.Fenced());
            assertThat(outbox.derive(1, -1))
                    .usingRecursiveFieldByFieldElementComparatorIgnoringFields("position.at")
                    .isEqualTo(written);
            assertThat(outbox.derive(1, 2)).hasSize(2);
            assertThat(outbox.unfence(1)).isTrue();
            assertThat(outbox.unfence(2)).isFalse();
            assertThat(pool.issue("c", "r3")).isEqualTo(new Issued(5, 4));
        }
    }

    @Test
    void theOutboxIsReadInOrderWaitsAndForgetsOnlyWhatIsTrimmed() {
        Pool pool = poolOf(5);
        try (Outbox outbox = pool.outbox()) {
            OutboxEntry creation = outbox.read(Outbox.START, 1, Duration.ZERO).get(0);
            assertThat(outbox.read(creation.id(), 10, Duration.ofMillis(20))).isEmpty();
            pool.issue("a", "r");
            assertThat(outbox.backlog(creation.id()).orElseThrow().next()).contains(1L);
            OutboxEntry issue =
                    outbox.read(creation.id(), 10, Duration.ofSeconds(5)).get(0);
            outbox.trim(creation.id());
            assertThat(outbox.read(Outbox.START, 10, Duration.ZERO)).containsExactly(issue);
            outbox.trim(issue.id());
            assertThat(outbox.read(Outbox.START, 10, Duration.ZERO)).isEmpty();
            assertThat(outbox.backlog(issue.id()).orElseThrow().next()).isEmpty();
        }
    }

    @Test
    void aRestockReachesANodeThatAnswersSoldOutByItself() {
        Pool pool = poolOf(1);
        pool.issue("winner", "r");
        // Until the node has its short-cut, and some more.
        for (int i = 0; i < 2000; i++) {
            assertThat(pool.issue("loser" + i, "r")).isEqualTo(new SoldOut());
        }
        assertThat(pool.issue("winner", "r")).isEqualTo(new Replayed(1));
        try (Interlock other = Topology.connect(server)) {
            assertThat(other.pool(((BlockingPool) pool).name()).adjust(new Adjustment(1, 1, 1, "restock")))
                    .isInstanceOf(AdjustResult.Adjusted.class);
        }
        org.awaitility.Awaitility.await()
                .atMost(Duration.ofSeconds(2))
                .untilAsserted(() -> assertThat(pool.issue("late", "r")).isInstanceOfAny(Issued.class, Replayed.class));
    }
}
