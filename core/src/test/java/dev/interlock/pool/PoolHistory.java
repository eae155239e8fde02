// SPDX-License-Identifier: Apache-2.0
package dev.interlock.pool;

import static org.assertj.core.api.Assertions.assertThat;

import dev.interlock.pool.PoolEvent.Claim;
import dev.interlock.pool.PoolEvent.Kind;
import dev.interlock.pool.PoolEvent.OfHold;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;

/** Plays the events of a pool and checks after each that nothing was sold that was not there, and nobody has too much. */
final class PoolHistory {
    final List<PoolEvent> events;
    private final Map<String, PoolEvent> open = new HashMap<>();
    private final Map<String, PoolEvent> made = new HashMap<>();
    private final Map<String, Integer> units = new HashMap<>();
    private final Set<String> nths = new HashSet<>();
    private final Map<Long, String> userOfUnit = new HashMap<>();
    private final List<Instant> empty = new ArrayList<>();
    private long supply;
    private long left;
    private long held;
    private long issued;

    PoolHistory(List<PoolEvent> events) {
        this.events = events;
    }

    /** Fails at the first event after which an invariant does not hold. */
    PoolHistory check(int limit) {
        for (int i = 0; i < events.size(); i++) {
            PoolEvent event = events.get(i);
            boolean wasEmpty = left == 0 && i > 0;
            assertThat(event.position().sequence()).as("no gap").isEqualTo(i);
            left += event.delta();
            apply(event);
            assertThat(left).as("S1 after %s", event).isNotNegative();
            assertThat(held).as("held after %s", event).isNotNegative();
            assertThat(left + held + issued).as("S2 after %s", event).isEqualTo(supply);
            Claim claim = event.claim();
            if (claim != null) {
                assertThat(units.get(claim.userId())).as("S4 after %s", event).isBetween(0, limit);
            }
            if (wasEmpty != (left == 0)) {
                empty.add(event.position().at());
            }
        }
        return this;
    }

    private void apply(PoolEvent event) {
        OfHold hold = event.hold();
        Claim claim = event.claim();
        switch (event.kind()) {
            case CREATED, RESTOCKED -> supply += event.delta();
            case HELD -> {
                held -= event.delta();
                count(claim, (int) -event.delta());
                assertThat(made.put(hold.id(), event))
                        .as("S3, a second %s", event)
                        .isNull();
                open.put(hold.id(), event);
            }
            case CANCELLED, EXPIRED -> {
                PoolEvent start = Objects.requireNonNull(open.remove(hold.id()), () -> "no open hold for " + event);
                assertThat(event.delta()).isEqualTo(-start.delta());
                held -= event.delta();
                count(start.claim(), (int) start.delta());
            }
            case ISSUED -> {
                issued++;
                assertThat(nths.add(claim.userId() + '\t' + claim.nth()))
                        .as("C1 %s", event)
                        .isTrue();
                userOfUnit.put(event.position().sequence(), claim.userId());
                if (hold == null || event.delta() != 0) {
                    assertThat(event.delta()).isEqualTo(-1);
                    count(claim, 1);
                } else {
                    held--;
                }
                if (hold != null) {
                    assertThat(made).containsKey(hold.id());
                    open.remove(hold.id());
                }
            }
            case REVOKED -> {
                issued--;
                assertThat(nths.remove(claim.userId() + '\t' + claim.nth())).isTrue();
                assertThat(userOfUnit.remove(claim.issue())).isEqualTo(claim.userId());
                count(claim, -1);
            }
            case RESCHEDULED -> assertThat(event.delta()).isZero();
            default -> throw new AssertionError("not expected here: " + event);
        }
    }

    private void count(Claim claim, int change) {
        units.merge(claim.userId(), change, Integer::sum);
    }

    /** Whether there was no unit left at some moment between the two. */
    boolean wasEmpty(Instant from, Instant to) {
        for (int i = 0; i < empty.size(); i += 2) {
            Instant end = i + 1 < empty.size() ? empty.get(i + 1) : Instant.MAX;
            if (!empty.get(i).isAfter(to) && !end.isBefore(from)) {
                return true;
            }
        }
        return false;
    }

    /** Events of one kind. */
    List<PoolEvent> of(Kind kind) {
        return events.stream().filter(event -> event.kind() == kind).toList();
    }
}
