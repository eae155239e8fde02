// SPDX-License-Identifier: Apache-2.0
package dev.interlock.stock;

import java.util.Map;

/** What {@link StockGroup#take(Map, String)} decided. */
public sealed interface OrderResult {
    /**
     * All was taken, by this call or by an earlier one with the same request id.
     *
     * @param left units left of each article after it
     */
    record Taken(Map<String, Long> left) implements OrderResult {
        /** Copies the map. */
        public Taken {
            left = Map.copyOf(left);
        }
    }

    /**
     * Too few are left of an article. Nothing changed.
     *
     * @param sku the first such article, in alphabetical order
     * @param available units left of it
     */
    record Insufficient(String sku, long available) implements OrderResult {}

    /**
     * An article has no counter. Nothing changed.
     *
     * @param sku the first such article, in alphabetical order
     */
    record Unknown(String sku) implements OrderResult {}
}
