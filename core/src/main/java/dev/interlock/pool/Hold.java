// SPDX-License-Identifier: Apache-2.0
package dev.interlock.pool;

import java.time.Instant;

/**
 * Units that are, or were, set aside for a user.
 *
 * @param id its id; who knows it can confirm or cancel it
 * @param userId for whom
 * @param quantity how many units
 * @param expiresAt until when they are held, by the clock of Redis
 * @param status what became of it
 */
public record Hold(String id, String userId, long quantity, Instant expiresAt, Status status) {
    /** What became of a hold. */
    public enum Status {
        /** The units are held, or the deadline has passed so recently that nothing has noticed it yet. */
        HELD,
        /** The units were issued. */
        CONFIRMED,
        /** The units went back because the hold was cancelled. */
        CANCELLED,
        /** The units went back because the deadline passed. */
        EXPIRED
    }
}
