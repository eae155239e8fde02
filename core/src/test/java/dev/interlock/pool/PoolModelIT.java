// SPDX-License-Identifier: Apache-2.0
package dev.interlock.pool;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.interlock.Topology;
import dev.interlock.pool.ConfirmResult.Confirmed;
import dev.interlock.pool.HoldResult.Held;
import dev.interlock.pool.IssueResult.Issued;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** Random operations of one caller against a small model: every answer is foretold, and every event adds up. */
class PoolModelIT extends PoolFixture {
    private static final int OPERATIONS = 6_000;
    private static final int LIMIT = 4;
    private static final Duration LONG = Duration.ofHours(1);

    private final long seed = System.nanoTime();
    private final Random random = new Random(seed);
    private final Map<String, Integer> units = new HashMap<>();
    private final List<Unit> issued = new ArrayList<>();
    private final List<Item> holds = new ArrayList<>();
    private long left = 20;
    private long held;
    private long sequence;

    PoolModelIT() {
        super(Topology.STANDALONE);
    }

    private record Unit(String user, long sequence) {}

    private static final class Item {
        final String id;
        final String user;
        final int quantity;
        Hold.Status status = Hold.Status.HELD;
        long firstSequence;

        Item(String id, String user, int quantity) {
            this.id = id;
            this.user = user;
            this.quantity = quantity;
        }
    }

    @Test
    void answersAndEventsAreThoseOfTheModel() {
        System.out.println("seed " + seed);
        Pool pool = created(PoolConfig.of(left).withLimitPerUser(LIMIT));
        for (int i = 0; i < OPERATIONS; i++) {
            String user = "user" + random.nextInt(12);
            int dice = random.nextInt(100);
            if (dice < 25) {
                issue(pool, user, "r" + i);
            } else if (dice < 50) {
                hold(pool, user, "r" + i, dice < 47 ? LONG : Duration.ofMillis(1));
            } else if (dice < 65 && !holds.isEmpty()) {
                confirm(pool, recent());
            } else if (dice < 75 && !holds.isEmpty()) {
                cancel(pool, recent());
            } else if (dice < 80) {
                restock(pool, 1 + random.nextInt(3), "r" + i);
            } else if (!issued.isEmpty()) {
                revoke(pool, issued.get(random.nextInt(issued.size())));
            }
            if (i % 50 == 0) {
                assertThat(pool.state().orElseThrow())
                        .as("after %d operations", i)
                        .satisfies(state -> assertThat(List.of(state.sequence(), state.available(), state.held()))
                                .isEqualTo(List.of(sequence, left, held)));
            }
        }
        new PoolHistory(HoldsContract.events(pool.outbox())).check(LIMIT);
    }

    private Item recent() {
        return holds.get(holds.size() - 1 - random.nextInt(Math.min(8, holds.size())));
    }

    private int unitsOf(String user) {
        return units.getOrDefault(user, 0);
    }

    private void issue(Pool pool, String user, String request) {
        IssueResult result = pool.issue(user, request);
        if (unitsOf(user) >= LIMIT) {
            assertThat(result).isInstanceOf(IssueResult.AlreadyIssued.class);
        } else if (left == 0) {
            assertThat(result).isEqualTo(new IssueResult.SoldOut());
        } else {
            assertThat(result).isEqualTo(new Issued(++sequence, --left));
            units.merge(user, 1, Integer::sum);
            issued.add(new Unit(user, sequence));
            assertThat(pool.issue(user, request)).isEqualTo(new IssueResult.Replayed(sequence));
        }
    }

    private void hold(Pool pool, String user, String request, Duration ttl) {
        int quantity = 1 + random.nextInt(3);
        HoldResult result = pool.holds().hold(user, quantity, ttl, request);
        if (unitsOf(user) + quantity > LIMIT) {
            assertThat(result).isEqualTo(new HoldResult.LimitReached(unitsOf(user)));
        } else if (left < quantity) {
            assertThat(result).isEqualTo(left == 0 ? new HoldResult.SoldOut() : new HoldResult.Insufficient(left));
        } else {
            Held made = (Held) result;
            left -= quantity;
            held += quantity;
            assertThat(made).isEqualTo(new Held(made.id(), ++sequence, left, made.expiresAt()));
            units.merge(user, quantity, Integer::sum);
            Item item = new Item(made.id(), user, quantity);
            holds.add(item);
            if (ttl != LONG) {
                await().pollInterval(Duration.ofMillis(1)).until(() -> status(pool, item) == Hold.Status.EXPIRED);
                back(item, Hold.Status.EXPIRED);
            }
        }
    }

    private static Hold.Status status(Pool pool, Item item) {
        pool.holds().sweep(100);
        return pool.holds().find(item.id).orElseThrow().status();
    }

    private void back(Item item, Hold.Status status) {
        item.status = status;
        item.firstSequence = ++sequence;
        left += item.quantity;
        held -= item.quantity;
        units.merge(item.user, -item.quantity, Integer::sum);
    }

    private void confirm(Pool pool, Item item) {
        ConfirmResult result = pool.holds().confirm(item.id);
        switch (item.status) {
            case CONFIRMED -> assertThat(result).isEqualTo(new Confirmed(item.firstSequence, item.quantity));
            case CANCELLED -> assertThat(result).isEqualTo(new ConfirmResult.Cancelled());
            case EXPIRED -> {
                if (left < item.quantity) {
                    assertThat(result).isEqualTo(new ConfirmResult.LateNoStock(left));
                } else if (unitsOf(item.user) + item.quantity > LIMIT) {
                    assertThat(result).isEqualTo(new ConfirmResult.LateOverLimit(unitsOf(item.user)));
                } else {
                    left -= item.quantity;
                    units.merge(item.user, item.quantity, Integer::sum);
                    confirmed(item, result);
                }
            }
            case HELD -> {
                held -= item.quantity;
                confirmed(item, result);
            }
        }
    }

    private void confirmed(Item item, ConfirmResult result) {
        item.status = Hold.Status.CONFIRMED;
        item.firstSequence = sequence + 1;
        assertThat(result).isEqualTo(new Confirmed(item.firstSequence, item.quantity));
        for (int i = 0; i < item.quantity; i++) {
            issued.add(new Unit(item.user, ++sequence));
        }
    }

    private void cancel(Pool pool, Item item) {
        CancelResult result = pool.holds().cancel(item.id);
        switch (item.status) {
            case CONFIRMED -> assertThat(result).isEqualTo(new CancelResult.AlreadyConfirmed());
            case EXPIRED -> assertThat(result).isEqualTo(new CancelResult.AlreadyExpired());
            case CANCELLED -> assertThat(result).isEqualTo(new CancelResult.Cancelled(item.firstSequence));
            case HELD -> {
                back(item, Hold.Status.CANCELLED);
                assertThat(result).isEqualTo(new CancelResult.Cancelled(sequence));
            }
        }
    }

    private void restock(Pool pool, int quantity, String request) {
        left += quantity;
        assertThat(pool.control().restock(quantity, request)).isEqualTo(new RestockResult.Restocked(++sequence, left));
    }

    private void revoke(Pool pool, Unit unit) {
        issued.remove(unit);
        units.merge(unit.user(), -1, Integer::sum);
        assertThat(pool.control().revoke(unit.user(), unit.sequence(), "returned"))
                .isEqualTo(new AdjustResult.Adjusted(++sequence, ++left));
    }
}
