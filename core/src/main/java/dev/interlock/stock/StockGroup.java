// SPDX-License-Identifier: Apache-2.0
package dev.interlock.stock;

import dev.interlock.internal.Engine;
import java.util.Map;
import java.util.OptionalLong;
import java.util.concurrent.CompletionStage;
import reactor.core.publisher.Mono;

/**
 * Counters of articles that are ordered together, all in one cluster slot, so that an order takes all its lines or none.
 * Guarantees and exceptions as for {@link StockCounter}; cost O(lines of the order).
 */
public interface StockGroup {
    /**
     * Sets the number of units of an article if it has no counter yet.
     *
     * @param sku name of the article, 1 to 512 bytes of UTF-8
     * @param quantity 0 to 1,000,000,000,000
     * @return whether it was set; false if the counter exists, which is unchanged then
     * @throws IllegalArgumentException before anything is sent, if an argument breaks a rule
     */
    boolean initialize(String sku, long quantity);

    /**
     * Takes units of several articles, all or none.
     *
     * @param order units of each article, 1 to 100 articles, 1 to 1,000,000 units each
     * @param requestId which request, 1 to 128 bytes of UTF-8; use the same one to ask again after a lost answer
     * @return taken, or why not
     * @throws IllegalArgumentException before anything is sent, if an argument breaks a rule
     */
    OrderResult take(Map<String, Long> order, String requestId);

    /**
     * Gives back all that a request took, once. Works also while Redis is out of memory.
     *
     * @param requestId the request that took
     * @return given back, or why not
     * @throws IllegalArgumentException before anything is sent, if the id breaks a rule
     */
    GiveBackResult giveBack(String requestId);

    /**
     * Reads the number of units left of an article.
     *
     * @param sku name of the article
     * @return units left, or empty if there is no counter
     * @throws IllegalArgumentException before anything is sent, if the name breaks a rule
     */
    OptionalLong available(String sku);

    /**
     * The same operations without waiting.
     *
     * @return the asynchronous view
     */
    Async async();

    /**
     * The same operations for Reactor; nothing is sent before subscription.
     *
     * @return the reactive view
     */
    Reactive reactive();

    /**
     * Made by {@link dev.interlock.Interlock#stockGroup(String)}.
     *
     * @param engine runtime resources
     * @param group checked name
     * @return the group
     */
    static StockGroup create(Engine engine, String group) {
        return new BlockingStockGroup(new StockGroupCalls(engine, group));
    }

    /** As {@link StockGroup}; stages complete on I/O threads. */
    interface Async {
        /** As {@link StockGroup#initialize(String, long)}. */
        CompletionStage<Boolean> initialize(String sku, long quantity);

        /** As {@link StockGroup#take(Map, String)}. */
        CompletionStage<OrderResult> take(Map<String, Long> order, String requestId);

        /** As {@link StockGroup#giveBack(String)}. */
        CompletionStage<GiveBackResult> giveBack(String requestId);

        /** As {@link StockGroup#available(String)}. */
        CompletionStage<OptionalLong> available(String sku);
    }

    /** As {@link StockGroup}; each subscription is one call. */
    interface Reactive {
        /** As {@link StockGroup#initialize(String, long)}. */
        Mono<Boolean> initialize(String sku, long quantity);

        /** As {@link StockGroup#take(Map, String)}. */
        Mono<OrderResult> take(Map<String, Long> order, String requestId);

        /** As {@link StockGroup#giveBack(String)}. */
        Mono<GiveBackResult> giveBack(String requestId);

        /** As {@link StockGroup#available(String)}. */
        Mono<OptionalLong> available(String sku);
    }
}
