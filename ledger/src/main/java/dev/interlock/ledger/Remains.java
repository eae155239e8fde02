// SPDX-License-Identifier: Apache-2.0
package dev.interlock.ledger;

import dev.interlock.ledger.Ledger.Position;
import dev.interlock.pool.Outbox;
import dev.interlock.pool.OutboxEntry;
import dev.interlock.pool.PoolConfig;
import dev.interlock.pool.PoolEvent;
import dev.interlock.pool.PoolEvent.Claim;
import dev.interlock.pool.PoolEvent.Kind;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;

/**
 * What the outbox of a sealed pool still has. First come events that go on from the position: they are recorded as they are.
 * From the first event that does not, all are carried over into the next epoch under new numbers: a Redis that had lost events
 * gave their numbers to others.
 */
final class Remains {
    private static final int ENTRIES = 200;

    private final Outbox outbox;
    private final Journal journal;
    private final EpochJournal epochs;
    private final Recorder recorder;

    /** How far the next epoch is recorded, and what became of the events carried over. */
    record Carried(Position at, long left, long kept, long dropped) {}

    Remains(Outbox outbox, Journal journal, Recorder recorder) {
        this.outbox = outbox;
        this.journal = journal;
        this.epochs = journal.epochs();
        this.recorder = recorder;
    }

    private List<OutboxEntry> page(String after) {
        return outbox.read(after, ENTRIES, Duration.ZERO);
    }

    /** Whether nothing comes after a position. */
    boolean isEmpty(Position at) {
        return outbox.read(at.streamId(), 1, Duration.ZERO).isEmpty();
    }

    /** Records what goes on from the position. */
    Position drain(Position from) {
        Position at = from;
        for (List<OutboxEntry> page = page(at.streamId()); !page.isEmpty(); page = page(at.streamId())) {
            List<Line> lines = new ArrayList<>();
            for (OutboxEntry entry : page) {
                List<PoolEvent> events = ofEpoch(entry, at.epoch());
                boolean next =
                        !events.isEmpty() && events.get(0).position().sequence() == at.sequence() + lines.size() + 1;
                if (!next) {
                    at = flush(at, lines);
                }
                if (entry.unreadable() != null) {
                    at = recorder.bury(at, entry);
                } else if (!goesOn(entry.id(), events, at, lines)) {
                    return flush(at, lines);
                }
            }
            at = flush(at, lines);
            String last = page.get(page.size() - 1).id();
            if (!at.streamId().equals(last)) {
                at = journal.move(at, new Position(at.epoch(), at.sequence(), last, at.rebuilding()));
            }
        }
        return at;
    }

    private Position flush(Position at, List<Line> lines) {
        Position to = lines.isEmpty() ? at : recorder.record(at, lines);
        lines.clear();
        return to;
    }

    private static List<PoolEvent> ofEpoch(OutboxEntry entry, long epoch) {
        return entry.events().stream()
                .filter(event -> event.position().epoch() == epoch && event.kind() != Kind.CREATED)
                .toList();
    }

    /** Adds the new events of an entry; false if one of them neither follows nor is recorded. */
    private boolean goesOn(String entryId, List<PoolEvent> events, Position at, List<Line> lines) {
        List<Claim> before = new ArrayList<>();
        for (int i = 0; i < events.size(); i++) {
            PoolEvent event = events.get(i);
            long sequence = event.position().sequence();
            if (sequence == at.sequence() + lines.size() + 1) {
                lines.add(new Line(event, i == events.size() - 1 ? entryId : null));
            } else if (sequence > at.sequence()) {
                return false;
            } else if (event.kind() == Kind.ISSUED && event.claim() != null) {
                before.add(event.claim());
            }
        }
        return before.isEmpty() || epochs.allRecorded(at.epoch(), before);
    }

    /** Carries the rest over into an epoch that has begun. */
    Carried carryOver(Position begun, PoolConfig begins) {
        Carried carried = new Carried(begun, begins.total(), 0, 0);
        for (List<OutboxEntry> page = page(begun.streamId());
                !page.isEmpty();
                page = page(carried.at().streamId())) {
            List<PoolEvent> events = page.stream()
                    .flatMap(entry -> entry.events().stream())
                    .filter(event -> event.claim() != null && event.position().epoch() < begins.epoch())
                    .toList();
            String last = page.get(page.size() - 1).id();
            try {
                carried = carry(carried, events, begins, last);
            } catch (RuntimeException e) {
                if (SqlFailure.of(e) != SqlFailure.DATA) {
                    throw e;
                }
                carried = oneByOne(carried, events, begins, last);
            }
        }
        return carried;
    }

    private Carried carry(Carried from, List<PoolEvent> events, PoolConfig begins, String throughId) {
        Carrying carrying = new Carrying(begins.limitPerUser(), from.left(), from.at(), epochs.holdings(users(events)));
        events.forEach(carrying::add);
        Position at = epochs.carry(from.at(), carrying.kept(), carrying.dropped(), throughId);
        return new Carried(
                at,
                carrying.left(),
                from.kept() + carrying.kept().size(),
                from.dropped() + carrying.dropped().size());
    }

    /** The database refuses some of these events. What was carried is not carried twice: requests are known by name. */
    private Carried oneByOne(Carried from, List<PoolEvent> events, PoolConfig begins, String throughId) {
        Carried carried = from;
        for (PoolEvent event : events) {
            String before = carried.at().streamId();
            try {
                carried = carry(carried, List.of(event), begins, before);
            } catch (RuntimeException e) {
                if (SqlFailure.of(e) != SqlFailure.DATA) {
                    throw e;
                }
                DeadEvent dead = Carrying.dead(event, Recorder.reason(e));
                Position at = epochs.carry(carried.at(), List.of(), List.of(dead), before);
                carried = new Carried(at, carried.left(), carried.kept(), carried.dropped() + 1);
            }
        }
        return carry(carried, List.of(), begins, throughId);
    }

    private static List<String> users(List<PoolEvent> events) {
        return events.stream()
                .map(event -> Objects.requireNonNull(event.claim()).userId())
                .distinct()
                .toList();
    }
}
