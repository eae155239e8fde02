// SPDX-License-Identifier: Apache-2.0
package dev.interlock.ledger;

import dev.interlock.ledger.Ledger.Position;
import dev.interlock.ledger.RelayStatus.State;
import dev.interlock.pool.Outbox;
import dev.interlock.pool.OutboxEntry;
import dev.interlock.pool.PoolEvent;
import dev.interlock.pool.PoolState;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.stream.IntStream;

/**
 * Records events whose outbox entries are lost. The position says "rebuilding" before the pool is fenced and until it is
 * open again, so a relay that dies on the way is followed by one that goes on.
 */
final class Recovery {
    private static final String HOLDER = "derive ";
    private static final int CHUNK = 5_000;
    private static final int PAGE = 1_000;

    private final Outbox outbox;
    private final Journal journal;
    private final Recorder recorder;
    private final Telling telling;
    private boolean gaveUp;

    /** What came of it. */
    record Outcome(Position at, State state) {}

    Recovery(Outbox outbox, Journal journal, Recorder recorder, Telling telling) {
        this.outbox = outbox;
        this.journal = journal;
        this.recorder = recorder;
        this.telling = telling;
    }

    /**
     * Opens a pool that a relay fenced here and left, because it died or another one was done before it: to be called when
     * the position was read after the fence and says that nobody is rebuilding. A later fence has another holder.
     */
    void liftLeftover(long epoch, String fencedBy) {
        if (fencedBy.startsWith(HOLDER)) {
            outbox.unfence(epoch, fencedBy);
        }
    }

    /** Starts if events are missing, unless the relay was misled: by another one, or by entries that came meanwhile. */
    Outcome startIfLost(Position believed) {
        Position position = journal.position();
        if (!position.equals(believed)) {
            return new Outcome(position, State.RECORDING);
        }
        List<OutboxEntry> next = outbox.read(position.streamId(), 1, Duration.ZERO);
        boolean goesOn = !next.isEmpty()
                && (next.get(0).events().isEmpty()
                        || next.get(0).events().get(0).position().sequence() <= position.sequence() + 1);
        return goesOn ? new Outcome(position, State.RECORDING) : start(position);
    }

    /** Alarms, and starts over from a position. */
    private Outcome start(Position position) {
        Position marked = journal.move(position, with(position, position.streamId(), true));
        gaveUp = false;
        Optional<Outbox.Backlog> backlog = outbox.backlog(position.streamId());
        backlog.ifPresent(ahead -> telling.tell(listener ->
                listener.lostEvents(position.sequence() + 1, ahead.state().sequence())));
        return run(marked);
    }

    /** Goes on from a position that says "rebuilding". */
    Outcome run(Position position) {
        String holder = HOLDER + UUID.randomUUID();
        if (!outbox.fence(position.epoch(), holder)) {
            // The pool of this epoch is gone: what was lost stays lost, and the ordinary work finds out the rest.
            Position plain = journal.move(position, with(position, position.streamId(), false));
            return new Outcome(plain, State.RECORDING);
        }
        Position at = journal.position();
        if (!at.rebuilding()) {
            outbox.unfence(at.epoch(), holder); // another relay was done before this one fenced
            return new Outcome(at, State.RECORDING);
        }
        List<PoolEvent> missing = contiguous(outbox.derive(at.epoch(), at.sequence()), at.sequence());
        for (int from = 0; from < missing.size(); from += CHUNK) {
            List<PoolEvent> chunk = missing.subList(from, Math.min(missing.size(), from + CHUNK));
            at = recorder.record(
                    at, chunk.stream().map(event -> new Line(event, null)).toList());
        }
        long end = outbox.backlog(Outbox.START)
                .map(Outbox.Backlog::state)
                .map(PoolState::sequence)
                .orElse(-1L);
        return at.sequence() == end ? open(at, holder) : giveUp(at, end);
    }

    private static List<PoolEvent> contiguous(List<PoolEvent> events, long after) {
        int end = IntStream.range(0, events.size())
                .filter(i -> events.get(i).position().sequence() != after + 1 + i)
                .findFirst()
                .orElse(events.size());
        return events.subList(0, end);
    }

    /** All is recorded, so what the stream still holds can go and the next entry is new, whatever its id. */
    private Outcome open(Position at, String holder) {
        for (List<OutboxEntry> page = page(); !page.isEmpty(); page = page()) {
            if (page.stream().flatMap(entry -> entry.events().stream()).anyMatch(event -> isNew(event, at))) {
                break;
            }
            outbox.trim(page.get(page.size() - 1).id());
        }
        Position done = journal.move(at, with(at, Outbox.START, false));
        outbox.unfence(at.epoch(), holder);
        return new Outcome(done, State.RECORDING);
    }

    private List<OutboxEntry> page() {
        return outbox.read(Outbox.START, PAGE, Duration.ZERO);
    }

    private static boolean isNew(PoolEvent event, Position at) {
        return event.position().epoch() > at.epoch()
                || (event.position().epoch() == at.epoch() && event.position().sequence() > at.sequence());
    }

    private Outcome giveUp(Position at, long end) {
        if (!gaveUp) {
            gaveUp = true;
            telling.tell(listener -> listener.unrecoverable(at.sequence() + 1, end));
        }
        return new Outcome(at, State.REBUILDING);
    }

    private static Position with(Position at, String streamId, boolean rebuilding) {
        return new Position(at.epoch(), at.sequence(), streamId, rebuilding);
    }
}
