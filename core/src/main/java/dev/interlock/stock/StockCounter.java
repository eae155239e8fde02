// SPDX-License-Identifier: Apache-2.0
package dev.interlock.stock;

import dev.interlock.internal.Engine;
import java.util.OptionalLong;
import java.util.concurrent.CompletionStage;
import reactor.core.publisher.Mono;

/**
 * A plain count of units of one article, as a whole number in one Redis string. A key of that name that another program
 * wrote as plain decimal digits works as it is.
 *
 * <p>Guarantees: never below zero by its own doing; every request takes or adds once, however often it is repeated within
 * the memory of {@value StockCalls#MEMORY_HOURS} hours. Does not record who took what: use
 * {@link dev.interlock.pool.Pool} for that.
 *
 * <p>Thread-safe; nothing to close. Concurrent takes share script calls; cost O(1). All methods that ask Redis throw
 * {@link dev.interlock.NotExecutedException} (surely nothing happened), {@link dev.interlock.OutcomeUnknownException} (ask
 * again with the same request id), {@link dev.interlock.CorruptStateException} (the key holds no whole number; it is
 * unchanged) or {@link dev.interlock.RequestConflictException} (the request id was used for something else).
 */
public interface StockCounter {
    /**
     * Sets the number of units if there is no counter yet.
     *
     * @param quantity 0 to 1,000,000,000,000
     * @return whether it was set; false if the counter exists, which is unchanged then
     * @throws IllegalArgumentException before anything is sent, if the quantity lies outside
     */
    boolean initialize(long quantity);

    /**
     * Sets the number of units, whatever it was. What is taken at the same time may be undone: prefer
     * {@link #add(long, String)}.
     *
     * @param quantity 0 to 1,000,000,000,000
     * @throws IllegalArgumentException before anything is sent, if the quantity lies outside
     */
    void set(long quantity);

    /**
     * Adds units.
     *
     * @param quantity 1 to 1,000,000
     * @param requestId which request, 1 to 128 bytes of UTF-8
     * @return added, or why not
     * @throws IllegalArgumentException before anything is sent, if an argument breaks a rule
     */
    AddResult add(long quantity, String requestId);

    /**
     * Takes units, all or none.
     *
     * @param quantity 1 to 1,000,000
     * @param requestId which request, 1 to 128 bytes of UTF-8; use the same one to ask again after a lost answer
     * @return taken, or why not
     * @throws IllegalArgumentException before anything is sent, if an argument breaks a rule
     */
    TakeResult take(long quantity, String requestId);

    /**
     * Gives back what a request took, once. Works also while Redis is out of memory.
     *
     * @param requestId the request that took
     * @return given back, or why not
     * @throws IllegalArgumentException before anything is sent, if the id breaks a rule
     */
    GiveBackResult giveBack(String requestId);

    /**
     * Reads the number of units left.
     *
     * @return units left, or empty if there is no counter
     */
    OptionalLong available();

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
     * Made by {@link dev.interlock.Interlock#stock(String)}.
     *
     * @param engine runtime resources
     * @param sku checked name
     * @return the counter
     */
    static StockCounter create(Engine engine, String sku) {
        return new BlockingStock(new StockCalls(engine, sku));
    }

    /** As {@link StockCounter}; stages complete on I/O threads. */
    interface Async {
        /** As {@link StockCounter#initialize(long)}. */
        CompletionStage<Boolean> initialize(long quantity);

        /** As {@link StockCounter#set(long)}. */
        CompletionStage<Void> set(long quantity);

        /** As {@link StockCounter#add(long, String)}. */
        CompletionStage<AddResult> add(long quantity, String requestId);

        /** As {@link StockCounter#take(long, String)}. */
        CompletionStage<TakeResult> take(long quantity, String requestId);

        /** As {@link StockCounter#giveBack(String)}. */
        CompletionStage<GiveBackResult> giveBack(String requestId);

        /** As {@link StockCounter#available()}. */
        CompletionStage<OptionalLong> available();
    }

    /** As {@link StockCounter}; each subscription is one call. */
    interface Reactive {
        /** As {@link StockCounter#initialize(long)}. */
        Mono<Boolean> initialize(long quantity);

        /** As {@link StockCounter#set(long)}. */
        Mono<Void> set(long quantity);

        /** As {@link StockCounter#add(long, String)}. */
        Mono<AddResult> add(long quantity, String requestId);

        /** As {@link StockCounter#take(long, String)}. */
        Mono<TakeResult> take(long quantity, String requestId);

        /** As {@link StockCounter#giveBack(String)}. */
        Mono<GiveBackResult> giveBack(String requestId);

        /** As {@link StockCounter#available()}. */
        Mono<OptionalLong> available();
    }
}
