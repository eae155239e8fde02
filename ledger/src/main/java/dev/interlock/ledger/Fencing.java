// SPDX-License-Identifier: Apache-2.0
package dev.interlock.ledger;

import dev.interlock.ledger.Ledger.Position;
import dev.interlock.pool.Outbox;

/** The fences that a relay sets and lifts besides those of a regression. */
final class Fencing {
    private static final String REFUSED = "refused";

    private final Outbox outbox;
    private final Journal journal;
    private final Recorder recorder;
    private final Recovery recovery;
    private final Telling telling;
    private boolean refused;
    private boolean told;

    Fencing(Outbox outbox, Journal journal, Recorder recorder, Recovery recovery, Telling telling) {
        this.outbox = outbox;
        this.journal = journal;
        this.recorder = recorder;
        this.recovery = recovery;
        this.telling = telling;
    }

    /** The database refuses everything: what could not be recorded must not be issued. */
    void refuse(Refusing e) {
        outbox.fence(journal.position().epoch(), REFUSED);
        refused = true;
        if (!told) {
            told = true;
            Throwable cause = e.getCause() == null ? e : e.getCause();
            telling.tell(listener -> listener.refused(cause));
        }
    }

    /** Events were recorded; whether that ends a refusal. */
    boolean recorded(long epoch) {
        if (!refused) {
            return false;
        }
        refused = false;
        told = false;
        outbox.unfence(epoch, REFUSED);
        return true;
    }

    /** Lifts fences that nobody needs; the backlog was read after the position. */
    void tend(Outbox.Backlog backlog, Position position) {
        long epoch = backlog.state().epoch();
        if (backlog.fencedBy().equals(REFUSED)) {
            if (backlog.state().sequence() == position.sequence()) {
                outbox.unfence(epoch, REFUSED);
            } else if (!refused) {
                refused = true; // an earlier relay fenced it
                recorder.suspect();
            }
        } else if (backlog.state().fenced() && !journal.position().rebuilding()) {
            recovery.liftLeftover(epoch, backlog.fencedBy());
        }
    }
}
