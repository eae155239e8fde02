// SPDX-License-Identifier: Apache-2.0
package dev.interlock.stock;

/** What {@link StockCounter#add(long, String)} did. */
public sealed interface AddResult {
    /**
     * The units were added, by this call or by an earlier one with the same request id.
     *
     * @param left units left after it
     */
    record Added(long left) implements AddResult {}

    /**
     * There would be more than 1,000,000,000,000. Nothing changed.
     *
     * @param available units left
     */
    record TooMany(long available) implements AddResult {}

    /** There is no such counter. Nothing changed. */
    record Unknown() implements AddResult {}
}
