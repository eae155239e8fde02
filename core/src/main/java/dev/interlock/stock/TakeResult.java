// SPDX-License-Identifier: Apache-2.0
package dev.interlock.stock;

/** What {@link StockCounter#take(long, String)} decided. */
public sealed interface TakeResult {
    /**
     * The units were taken, by this call or by an earlier one with the same request id.
     *
     * @param left units left after it; 0 when the last were taken
     */
    record Taken(long left) implements TakeResult {}

    /**
     * Too few are left. Nothing changed.
     *
     * @param available units left
     */
    record Insufficient(long available) implements TakeResult {}

    /** There is no such counter: it was never initialized, or it is gone. That is not "none left". Nothing changed. */
    record Unknown() implements TakeResult {}
}
