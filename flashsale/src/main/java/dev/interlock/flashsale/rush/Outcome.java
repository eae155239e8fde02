// SPDX-License-Identifier: Apache-2.0
package dev.interlock.flashsale.rush;

/**
 * What the clients of one node, or of all of them, were told.
 *
 * @param tally how many answers of which kind, and after how long
 * @param claims whom they were promised which unit
 * @param elapsedNanos from the first request to the last answer
 * @param lastIssuedMillis when a unit was last issued, in milliseconds since 1970, or 0 if none was
 */
record Outcome(Tally tally, Claims claims, long elapsedNanos, long lastIssuedMillis) {}
