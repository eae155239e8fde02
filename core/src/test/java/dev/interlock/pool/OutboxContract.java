// SPDX-License-Identifier: Apache-2.0
package dev.interlock.pool;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.interlock.CorruptStateException;
import dev.interlock.Topology;
import dev.interlock.pool.IssueResult.AlreadyIssued;
import dev.interlock.pool.IssueResult.Issued;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** What every change of a pool leaves for its recorder; the subclasses say on which topology. */
abstract class OutboxContract extends PoolFixture {
    OutboxContract(Topology topology) {
        super(topology);
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
    void anAdjustmentIsAnEventAndIsRefusedAfterAnother() {
        Pool pool = poolOf(3);
        pool.issue("a", "r");
        assertThat(pool.control().adjust(new Adjustment(1, 1, 2, "found two")))
                .isEqualTo(new AdjustResult.Adjusted(2, 4));
        assertThat(pool.control().adjust(new Adjustment(1, 1, 2, "found two"))).isEqualTo(new AdjustResult.Outdated(2));
        assertThat(pool.control().adjust(new Adjustment(2, 2, 1, "other epoch")))
                .isEqualTo(new AdjustResult.Outdated(2));
        assertThat(pool.control().adjust(new Adjustment(1, 2, -5, "more than there is")))
                .isEqualTo(new AdjustResult.Outdated(2));
        pool.issue("b", "r");
        assertThat(pool.control().adjust(new Adjustment(1, 2, -3, "ordinary events do not matter")))
                .isEqualTo(new AdjustResult.Adjusted(4, 0));
    }

    @Test
    void aUnitIsRevokedOnceAndItsUserMayHaveAnother() {
        Pool pool = created(PoolConfig.of(3).withLimitPerUser(2));
        pool.issue("a", "r1");
        pool.issue("a", "r2");
        assertThat(pool.control().revoke("a", 1, "wrong")).isEqualTo(new AdjustResult.Adjusted(3, 2));
        assertThat(pool.control().revoke("a", 1, "wrong")).isEqualTo(new AdjustResult.Outdated(3));
        assertThat(pool.control().revoke("b", 2, "not his")).isEqualTo(new AdjustResult.Outdated(3));
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
        pool.control().revoke("a", 1, "wrong");
        pool.control().adjust(new Adjustment(1, 3, 1, "found"));
        try (Outbox outbox = pool.outbox()) {
            List<PoolEvent> written = outbox.read(Outbox.START, 100, Duration.ZERO).stream()
                    .flatMap(entry -> entry.events().stream())
                    .toList();
            assertThat(outbox.fence(1, "test")).isTrue();
            assertThat(pool.issue("c", "r3")).isInstanceOf(IssueResult.Rebuilding.class);
            assertThat(pool.control().adjust(new Adjustment(1, 4, 1, "x"))).isEqualTo(new AdjustResult.Fenced());
            assertThat(pool.control().revoke("b", 2, "x")).isEqualTo(new AdjustResult.Fenced());
            assertThat(outbox.derive(1, -1))
                    .usingRecursiveFieldByFieldElementComparatorIgnoringFields("position.at")
                    .isEqualTo(written);
            assertThat(outbox.derive(1, 2)).hasSize(2);
            assertThat(outbox.unfence(1, "test")).isTrue();
            assertThat(outbox.unfence(2, "test")).isFalse();
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
    void aSealedPoolIsOpenedInItsNextEpochWithWhatWasLoaded() {
        Pool pool = poolOf(5);
        pool.issue("a", "r1");
        PoolConfig next = PoolConfig.of(3).withLimitPerUser(2).withEpoch(2);
        try (Outbox outbox = pool.outbox()) {
            Restoration restoration = outbox.restoration();
            assertThat(restoration.load(2, List.of(new PoolEvent.Claim("x", "r", 1, 1))))
                    .isFalse();
            assertThat(restoration.seal(2)).isTrue();
            assertThat(outbox.backlog(Outbox.START).orElseThrow().sealedFor()).isEqualTo(2);
            assertThat(outbox.unfence(1, "test")).isFalse();
            assertThat(pool.issue("b", "r2")).isInstanceOf(IssueResult.Rebuilding.class);
            assertThat(pool.control().adjust(new Adjustment(1, 1, 1, "x"))).isEqualTo(new AdjustResult.Fenced());
            List<PoolEvent.Claim> claims = List.of(
                    new PoolEvent.Claim("a", "r1", 1, 1),
                    new PoolEvent.Claim("b", "r2", 1, 7),
                    new PoolEvent.Claim("b", "r3", 2, 9));
            assertThat(restoration.load(2, claims)).isTrue();
            assertThat(restoration.load(2, claims)).as("again").isTrue();
            assertThat(restoration.open(new Restoration.Opening(next, 100, 3)))
                    .as("not all are loaded")
                    .isFalse();
            assertThat(restoration.open(new Restoration.Opening(next, 100, 2))).isTrue();
            assertThat(restoration.open(new Restoration.Opening(next, 100, 2)))
                    .as("again")
                    .isTrue();
            assertThat(restoration.seal(2)).as("it is open").isFalse();
            assertThat(outbox.read(Outbox.START, 10, Duration.ZERO)).isEmpty();
            assertThat(pool.issue("b", "r3")).isEqualTo(new IssueResult.Replayed(9));
            assertThat(pool.issue("b", "r4")).isEqualTo(new AlreadyIssued(9));
            assertThat(pool.issue("a", "r5")).isEqualTo(new Issued(101, 2));
            assertThat(restoration.seen()).isEqualTo(new Restoration.Point(2, 101));
            assertThat(restoration.seen(1)).contains(new Restoration.Point(1, 1));
        }
    }

    @Test
    void everyChangeIsRefusedWhenRedisKnowsLessThanThisNode() {
        Pool pool = poolOf(5);
        pool.issue("a", "r1");
        AtomicInteger alerts = new AtomicInteger();
        Runnable watcher = alerts::incrementAndGet;
        try (Outbox outbox = pool.outbox()) {
            Restoration restoration = outbox.restoration();
            restoration.remind(new Restoration.Point(1, 10));
            assertThatThrownBy(() -> pool.issue("b", "r2"))
                    .isInstanceOf(CorruptStateException.class)
                    .hasMessageContaining("went back in time");
            assertThatThrownBy(() -> pool.control().adjust(new Adjustment(1, 1, 1, "x")))
                    .isInstanceOf(CorruptStateException.class);
            assertThatThrownBy(() -> pool.control().revoke("a", 1, "x")).isInstanceOf(CorruptStateException.class);
            Runnable end = restoration.watch(watcher);
            assertThat(pool.issue("b", "r2")).isInstanceOf(IssueResult.Rebuilding.class);
            assertThat(alerts).hasValue(1);
            assertThat(pool.state().orElseThrow().sequence())
                    .as("nothing changed")
                    .isOne();
            assertThat(alerts).hasValue(2);
            end.run();
        }
        Pool gone = interlock.pool(Topology.name("gone"));
        assertThat(gone.issue("a", "r")).isInstanceOf(IssueResult.UnknownPool.class);
        try (Outbox outbox = gone.outbox()) {
            outbox.restoration().remind(new Restoration.Point(1, 1));
        }
        assertThatThrownBy(() -> gone.issue("a", "r")).isInstanceOf(CorruptStateException.class);
        assertThatThrownBy(() -> gone.create(PoolConfig.of(5))).isInstanceOf(CorruptStateException.class);
        assertThat(gone.create(PoolConfig.of(5).withEpoch(2))).isInstanceOf(CreateResult.Created.class);
    }
}
