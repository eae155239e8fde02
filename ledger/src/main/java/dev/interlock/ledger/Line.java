// SPDX-License-Identifier: Apache-2.0
package dev.interlock.ledger;

import dev.interlock.pool.PoolEvent;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * An event to record.
 *
 * @param event the event
 * @param completes id of the outbox entry that is done with it, or null if more events of the entry follow
 */
record Line(PoolEvent event, @Nullable String completes) {
    long sequence() {
        return event.position().sequence();
    }

    /** Where recording these lines leads to. The stream id moves over whole entries only. */
    static Ledger.Position after(Ledger.Position at, List<Line> lines) {
        String streamId = at.streamId();
        for (int i = lines.size() - 1; i >= 0; i--) {
            String completed = lines.get(i).completes();
            if (completed != null) {
                streamId = completed;
                break;
            }
        }
        long sequence = lines.get(lines.size() - 1).sequence();
        return new Ledger.Position(at.epoch(), sequence, streamId, at.rebuilding());
    }
}
