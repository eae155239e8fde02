// SPDX-License-Identifier: Apache-2.0
package dev.interlock.ledger;

import dev.interlock.InterlockException;
import dev.interlock.ledger.Ledger.Position;
import dev.interlock.pool.AdjustResult;
import dev.interlock.pool.OutboxEntry;
import dev.interlock.pool.Pool;
import dev.interlock.pool.PoolEvent.Claim;
import dev.interlock.pool.PoolEvent.Kind;
import java.sql.SQLException;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Records lines whatever they hold: a batch that the database refuses is halved until the one bad event is found, which is
 * set aside. Its unit goes back to the pool afterwards.
 */
final class Recorder {
    private static final Logger log = LoggerFactory.getLogger(Recorder.class);
    private static final int MAX_ERROR = 1_000;

    private final Journal journal;
    private final Pool pool;
    private final Telling telling;

    /** Whether units may wait for their return; at start there may be some of an earlier relay. */
    private boolean owing = true;

    Recorder(Journal journal, Pool pool, Telling telling) {
        this.journal = journal;
        this.pool = pool;
        this.telling = telling;
    }

    /** Records lines, which are at least one and follow the position without a gap. */
    Position record(Position at, List<Line> lines) {
        try {
            return journal.append(at, lines);
        } catch (RuntimeException e) {
            if (SqlFailure.of(e) != SqlFailure.DATA) {
                throw e;
            }
            if (lines.size() == 1) {
                return bury(at, lines.get(0), e);
            }
            int half = lines.size() / 2;
            return record(record(at, lines.subList(0, half)), lines.subList(half, lines.size()));
        }
    }

    private Position bury(Position at, Line line, RuntimeException refusal) {
        Claim claim = line.event().claim();
        boolean holdsUnit = line.event().kind() == Kind.ISSUED;
        DeadEvent dead = new DeadEvent(
                line.sequence(),
                claim == null ? null : claim.userId(),
                line.event().toString(),
                reason(refusal),
                holdsUnit ? Boolean.FALSE : null);
        Position to = journal.bury(at, line, dead);
        owing |= holdsUnit;
        log.warn("set event {} of epoch {} aside: {}", line.sequence(), at.epoch(), dead.error());
        telling.tell(listener -> listener.poison(dead));
        return to;
    }

    /** Sets an entry aside that cannot be read. */
    Position bury(Position at, OutboxEntry entry) {
        DeadEvent dead = new DeadEvent(null, null, String.valueOf(entry.unreadable()), "unreadable entry", null);
        Position to = journal.buryEntry(at, entry.id(), dead);
        log.warn("set entry {} aside, which no pool wrote", entry.id());
        telling.tell(listener -> listener.poison(dead));
        return to;
    }

    /**
     * Gives units of dead events back. A revocation is once in effect, however often it is tried, so a failure on the way
     * is harmless.
     *
     * @param all whether to look although none is known to wait
     */
    void returnUnits(long epoch, boolean all) {
        if (!owing && !all) {
            return;
        }
        boolean left = false;
        for (Journal.Owed unit : journal.owed(epoch)) {
            left |= !returnUnit(unit);
        }
        owing = false;
        if (left) {
            log.warn("units of dead events could not be returned yet; they are tried again later");
        }
    }

    private boolean returnUnit(Journal.Owed unit) {
        try {
            AdjustResult result = pool.control()
                    .revoke(unit.userId(), unit.issue(), "dead event " + unit.issue() + ", could not be recorded");
            if (!(result instanceof AdjustResult.Adjusted || result instanceof AdjustResult.Outdated)) {
                return false; // fenced or gone for now
            }
        } catch (InterlockException | IllegalArgumentException e) {
            log.debug("revoke of dead event {} failed", unit.issue(), e);
            return false;
        }
        journal.returned(unit.id());
        return true;
    }

    private static String reason(RuntimeException refusal) {
        SQLException cause = SqlFailure.cause(refusal);
        String text =
                cause == null ? String.valueOf(refusal.getMessage()) : cause.getSQLState() + " " + cause.getMessage();
        return text.length() > MAX_ERROR ? text.substring(0, MAX_ERROR) : text;
    }
}
