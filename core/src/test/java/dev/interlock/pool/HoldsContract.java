// SPDX-License-Identifier: Apache-2.0
package dev.interlock.pool;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.interlock.Interlock;
import dev.interlock.RequestConflictException;
import dev.interlock.Topology;
import dev.interlock.pool.ConfirmResult.Confirmed;
import dev.interlock.pool.HoldResult.Held;
import dev.interlock.pool.IssueResult.AlreadyIssued;
import dev.interlock.pool.IssueResult.Issued;
import dev.interlock.pool.IssueResult.SoldOut;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** What the holds of every pool promise, in all three views; the subclasses say on which topology. */
abstract class HoldsContract extends PoolFixture {
    private static final Duration LONG = Duration.ofMinutes(5);
    private static final Duration SHORT = Duration.ofMillis(1);

    HoldsContract(Topology topology) {
        super(topology);
    }

    /** Ways to call the same operations. */
    enum View {
        BLOCKING,
        ASYNC,
        REACTIVE;

        HoldResult hold(Pool pool, String user, long quantity, Duration ttl, String request) {
            Holds holds = pool.holds();
            return switch (this) {
                case BLOCKING -> holds.hold(user, quantity, ttl, request);
                case ASYNC -> join(holds.async().hold(user, quantity, ttl, request));
                case REACTIVE ->
                    holds.reactive().hold(user, quantity, ttl, request).block();
            };
        }

        ConfirmResult confirm(Pool pool, String id) {
            Holds holds = pool.holds();
            return switch (this) {
                case BLOCKING -> holds.confirm(id);
                case ASYNC -> join(holds.async().confirm(id));
                case REACTIVE -> holds.reactive().confirm(id).block();
            };
        }

        CancelResult cancel(Pool pool, String id) {
            Holds holds = pool.holds();
            return switch (this) {
                case BLOCKING -> holds.cancel(id);
                case ASYNC -> join(holds.async().cancel(id));
                case REACTIVE -> holds.reactive().cancel(id).block();
            };
        }

        private static <T> T join(java.util.concurrent.CompletionStage<T> stage) {
            return stage.toCompletableFuture().join();
        }
    }

    private static Held hold(Pool pool, String user, long quantity, Duration ttl) {
        return (Held) pool.holds().hold(user, quantity, ttl, "hold of " + user);
    }

    private static Held expired(Pool pool, String user, long quantity) {
        Held held = hold(pool, user, quantity, SHORT);
        awaitExpiry(pool, held);
        return held;
    }

    private static void awaitExpiry(Pool pool, Held held) {
        await().atMost(Duration.ofSeconds(5)).pollInterval(Duration.ofMillis(2)).until(() -> {
            pool.holds().sweep(10);
            return pool.holds().find(held.id()).orElseThrow().status() == Hold.Status.EXPIRED;
        });
    }

    private static PoolState units(Pool pool) {
        return pool.state().orElseThrow();
    }

    @ParameterizedTest
    @EnumSource(View.class)
    void heldUnitsAreNobodyElsesAndAreIssuedByConfirmation(View view) {
        Pool pool = created(PoolConfig.of(3).withLimitPerUser(5));
        Held held = (Held) view.hold(pool, "a", 2, LONG, "r");
        assertThat(held.sequence()).isEqualTo(1);
        assertThat(held.left()).isEqualTo(1);
        assertThat(held.expiresAt()).isBetween(Instant.now(), Instant.now().plus(LONG.plusMinutes(5)));
        assertThat(view.hold(pool, "b", 2, LONG, "r")).isEqualTo(new HoldResult.Insufficient(1));
        assertThat(pool.issue("b", "r")).isEqualTo(new Issued(2, 0));
        assertThat(pool.issue("c", "r")).isEqualTo(new SoldOut());
        assertThat(view.hold(pool, "c", 1, LONG, "r")).isEqualTo(new HoldResult.SoldOut());
        assertThat(units(pool)).isEqualTo(new PoolState(1, 2, 0, 2, 2, false));

        assertThat(view.confirm(pool, held.id())).isEqualTo(new Confirmed(3, 2));
        assertThat(view.confirm(pool, held.id())).isEqualTo(new Confirmed(3, 2));
        assertThat(view.cancel(pool, held.id())).isEqualTo(new CancelResult.AlreadyConfirmed());
        assertThat(units(pool)).isEqualTo(new PoolState(1, 4, 0, 0, 2, false));
    }

    @ParameterizedTest
    @EnumSource(View.class)
    void cancelledUnitsAreBackOnceAndAreNotHeldAgainByTheSameRequest(View view) {
        Pool pool = poolOf(1);
        Held held = (Held) view.hold(pool, "a", 1, LONG, "r");
        assertThat(view.cancel(pool, held.id())).isEqualTo(new CancelResult.Cancelled(2));
        assertThat(view.cancel(pool, held.id())).isEqualTo(new CancelResult.Cancelled(2));
        assertThat(view.confirm(pool, held.id())).isEqualTo(new ConfirmResult.Cancelled());
        assertThat(units(pool)).isEqualTo(new PoolState(1, 2, 1, 0, 0, false));
        Hold ended = new Hold(held.id(), "a", 1, held.expiresAt(), Hold.Status.CANCELLED);
        assertThat(view.hold(pool, "a", 1, LONG, "r")).isEqualTo(new HoldResult.Replayed(ended));
        assertThat(pool.issue("a", "r")).isEqualTo(new Issued(3, 0));
    }

    @ParameterizedTest
    @EnumSource(View.class)
    void theSameRequestGetsTheSameHold(View view) {
        Pool pool = created(PoolConfig.of(5).withLimitPerUser(5));
        Held held = (Held) view.hold(pool, "a", 2, LONG, "r");
        Hold same = new Hold(held.id(), "a", 2, held.expiresAt(), Hold.Status.HELD);
        assertThat(view.hold(pool, "a", 2, LONG, "r")).isEqualTo(new HoldResult.Replayed(same));
        assertThat(pool.holds().find(held.id())).contains(same);
        assertThatThrownBy(() -> pool.holds().hold("a", 3, LONG, "r")).isInstanceOf(RequestConflictException.class);
        assertThat(view.hold(pool, "b", 2, LONG, "r")).isInstanceOf(Held.class);
        assertThat(units(pool).held()).isEqualTo(4);
    }

    @Test
    void theLimitCountsHeldUnitsUntilTheyAreBack() {
        Pool pool = created(PoolConfig.of(20).withLimitPerUser(3));
        pool.issue("a", "r1");
        Held held = hold(pool, "a", 2, LONG);
        assertThat(pool.issue("a", "r2")).isEqualTo(new AlreadyIssued(2));
        assertThat(pool.holds().hold("a", 1, LONG, "r3")).isEqualTo(new HoldResult.LimitReached(3));
        assertThat(pool.holds().hold("b", 4, LONG, "r4")).isEqualTo(new HoldResult.LimitReached(0));
        pool.holds().cancel(held.id());
        assertThat(pool.holds().hold("a", 2, LONG, "r5")).isInstanceOf(Held.class);
        // An expired hold stands in the way of nobody, its user included, whether it was swept or not.
        Held brief = hold(pool, "c", 3, SHORT);
        await().atMost(Duration.ofSeconds(5)).until(() -> pool.issue("c", "again") instanceof Issued);
        assertThat(pool.holds().find(brief.id()).orElseThrow().status()).isEqualTo(Hold.Status.EXPIRED);
    }

    @Test
    void aLateConfirmationTakesAgainOrSaysThatThereIsNoStock() {
        Pool pool = created(PoolConfig.of(2).withLimitPerUser(2));
        Held lucky = expired(pool, "a", 2);
        assertThat(pool.holds().confirm(lucky.id())).isEqualTo(new Confirmed(3, 2));
        pool.control().restock(1, "one");
        Held unlucky = expired(pool, "b", 1);
        assertThat(pool.issue("c", "r")).isInstanceOf(Issued.class);
        assertThat(pool.holds().confirm(unlucky.id())).isEqualTo(new ConfirmResult.LateNoStock(0));
        assertThat(pool.holds().cancel(unlucky.id())).isEqualTo(new CancelResult.AlreadyExpired());
        pool.control().restock(5, "five");
        Held greedy = expired(pool, "d", 2);
        pool.issue("d", "r");
        assertThat(pool.holds().confirm(greedy.id())).isEqualTo(new ConfirmResult.LateOverLimit(1));
        pool.control().schedule(null, Instant.now().minusSeconds(60));
        assertThat(pool.holds().confirm(unlucky.id())).isEqualTo(new ConfirmResult.LateClosed());
    }

    @Test
    void expiredUnitsAreBackBeforeAnyoneHearsSoldOutAndWithoutAnyoneAsking() {
        Pool pool = created(PoolConfig.of(250).withLimitPerUser(1));
        Interlock gone = Topology.connect(server);
        Pool theirs = gone.pool(((BlockingPool) pool).name());
        for (int i = 0; i < 250; i++) {
            assertThat(theirs.holds().hold("u" + i, 1, Duration.ofMillis(200), "r"))
                    .isInstanceOf(Held.class);
        }
        gone.close();
        assertThat(pool.issue("late", "r")).isInstanceOfAny(SoldOut.class, Issued.class);
        await().atMost(Duration.ofSeconds(2))
                .until(() -> pool.issue("late", "r") instanceof IssueResult.Issued
                        || pool.issue("late", "r") instanceof IssueResult.Replayed);

        Pool idle = poolOf(1);
        hold(idle, "a", 1, Duration.ofMillis(20));
        await().atMost(Duration.ofSeconds(2)).until(() -> units(idle).available() == 1);
    }

    @Test
    void nothingIsHeldOutsideTheOpeningTimesOrWithoutAPool() {
        Instant opens = Instant.parse("2100-01-01T00:00:00Z");
        Pool early = created(PoolConfig.of(5).open(opens, null));
        assertThat(early.holds().hold("a", 1, LONG, "r")).isEqualTo(new HoldResult.NotOpen(opens));
        Pool pool = poolOf(5);
        Held held = hold(pool, "a", 1, LONG);
        pool.control().schedule(null, Instant.now().minusSeconds(60));
        assertThat(pool.holds().hold("b", 1, LONG, "r")).isEqualTo(new HoldResult.Closed());
        assertThat(pool.holds().confirm(held.id())).isEqualTo(new Confirmed(3, 1));
        Pool none = interlock.pool(Topology.name("none"));
        assertThat(none.holds().hold("a", 1, LONG, "r")).isEqualTo(new HoldResult.UnknownPool());
        assertThat(none.holds().confirm(held.id())).isEqualTo(new ConfirmResult.UnknownPool());
        assertThat(none.holds().cancel(held.id())).isEqualTo(new CancelResult.UnknownPool());
        try (Outbox outbox = pool.outbox()) {
            outbox.fence(1, "test");
            assertThat(pool.holds().hold("b", 1, LONG, "r")).isInstanceOf(HoldResult.Rebuilding.class);
            assertThat(pool.holds().confirm(held.id())).isInstanceOf(ConfirmResult.Rebuilding.class);
            assertThat(pool.holds().cancel(held.id())).isInstanceOf(CancelResult.Rebuilding.class);
        }
    }

    @Test
    void nobodyGuessesAHoldAndBadArgumentsAreRefusedBeforeAnythingIsSent() {
        Pool pool = poolOf(5);
        Held held = hold(pool, "a", 1, LONG);
        String guess = held.id().substring(0, held.id().length() - 16) + "0123456789abcdef";
        assertThat(pool.holds().confirm(guess)).isEqualTo(new ConfirmResult.UnknownHold());
        assertThat(pool.holds().cancel(guess)).isEqualTo(new CancelResult.UnknownHold());
        assertThat(pool.holds().find(guess)).isEmpty();
        Holds holds = pool.holds();
        for (String bad : new String[] {"", "x", held.id() + "0", held.id().toUpperCase(java.util.Locale.ROOT)}) {
            assertThatThrownBy(() -> holds.confirm(bad)).hasMessageContaining("holdId");
            assertThatThrownBy(() -> holds.reactive().cancel(bad)).hasMessageContaining("holdId");
        }
        for (long bad : new long[] {0, -1, 101, Long.MIN_VALUE, Long.MAX_VALUE}) {
            assertThatThrownBy(() -> holds.reactive().hold("a", bad, LONG, "r")).hasMessageContaining("quantity");
        }
        assertThatThrownBy(() -> holds.hold("a", 1, Duration.ZERO, "r")).hasMessageContaining("ttl");
        assertThatThrownBy(() -> holds.hold("a", 1, Duration.ofNanos(1), "r")).hasMessageContaining("ttl");
        assertThatThrownBy(() -> holds.hold("a", 1, Duration.ofDays(8), "r")).hasMessageContaining("ttl");
        assertThatThrownBy(() -> holds.sweep(0)).hasMessageContaining("max");
        assertThat(units(pool).sequence()).isEqualTo(1);
    }

    @Test
    void onlyIssuedUnitsAreRevokedAndEventsTellOfEveryStep() {
        Pool pool = created(PoolConfig.of(9).withLimitPerUser(4));
        Held held = hold(pool, "a", 2, LONG);
        assertThat(pool.control().revoke("a", held.sequence(), "x")).isEqualTo(new AdjustResult.Outdated(1));
        pool.holds().confirm(held.id());
        assertThat(pool.control().revoke("a", 3, "x")).isEqualTo(new AdjustResult.Adjusted(4, 8));
        pool.holds().cancel(hold(pool, "b", 3, LONG).id());
        Held late = expired(pool, "c", 2);
        pool.holds().confirm(late.id());
        pool.control().restock(7, "more");
        pool.control().schedule(Instant.EPOCH.plusSeconds(1), Instant.parse("2100-01-01T00:00:00Z"));
        try (Outbox outbox = pool.outbox()) {
            List<PoolEvent> events = events(outbox);
            assertThat(events)
                    .extracting(event -> event.kind() + " " + event.delta())
                    .containsExactly(
                            "CREATED 9",
                            "HELD -2",
                            "ISSUED 0",
                            "ISSUED 0",
                            "REVOKED 1",
                            "HELD -3",
                            "CANCELLED 3",
                            "HELD -2",
                            "EXPIRED 2",
                            "ISSUED -1",
                            "ISSUED -1",
                            "RESTOCKED 7",
                            "RESCHEDULED 0");
            assertThat(events.get(3).claim()).isEqualTo(new PoolEvent.Claim("a", "hold of a", 2, 3));
            assertThat(events.get(7).hold().deadline()).isEqualTo(late.expiresAt());
            assertThat(late.id()).endsWith(events.get(10).hold().id());
            assertThat(events.get(11).note()).isEqualTo("more");
            outbox.fence(1, "test");
            List<PoolEvent> derived = outbox.derive(1, -1);
            assertThat(derived.get(0).kind()).isEqualTo(PoolEvent.Kind.CREATED);
            assertThat(derived.get(0).note())
                    .as("the terms of now")
                    .isNotEqualTo(events.get(0).note());
            assertThat(derived.subList(1, derived.size()))
                    .usingRecursiveFieldByFieldElementComparatorIgnoringFields("position.at", "claim.requestId")
                    .isEqualTo(events.subList(1, events.size()));
            outbox.trim(outbox.read(Outbox.START, 100, Duration.ZERO).get(8).id());
            assertThat(outbox.derive(1, 8)).hasSize(4);
        }
    }

    static List<PoolEvent> events(Outbox outbox) {
        return outbox.read(Outbox.START, 10_000, Duration.ZERO).stream()
                .peek(entry -> assertThat(entry.unreadable()).isNull())
                .flatMap(entry -> entry.events().stream())
                .toList();
    }
}
