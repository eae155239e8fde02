// SPDX-License-Identifier: Apache-2.0
package dev.interlock.pool;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * One entry of the outbox stream: the events of one script call.
 *
 * @param id id of the entry in the stream
 * @param events its events in order; empty if it cannot be read
 * @param unreadable what is wrong, if it was not written by a pool; else null
 */
public record OutboxEntry(
        String id, List<PoolEvent> events, @Nullable String unreadable) {
    /** Copies the list. */
    public OutboxEntry {
        events = List.copyOf(events);
    }
}
