// SPDX-License-Identifier: Apache-2.0
package dev.interlock.ledger;

import org.jspecify.annotations.Nullable;

/**
 * An event or an outbox entry that was set aside.
 *
 * @param sequence which event of its epoch, or null for an entry that could not be read
 * @param userId who was to get the unit, or null
 * @param payload the event or the entry as text
 * @param error why it was set aside
 * @param unitReturned whether its unit is back in the pool, or null if it held none
 */
public record DeadEvent(
        @Nullable Long sequence,
        @Nullable String userId,
        String payload,
        String error,
        @Nullable Boolean unitReturned) {}
