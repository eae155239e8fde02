// SPDX-License-Identifier: Apache-2.0
package dev.interlock.stock;

/** What {@link StockCounter#giveBack(String)} did. */
public sealed interface GiveBackResult {
    /** What the request took was added again. */
    record GivenBack() implements GiveBackResult {}

    /** It was given back before, perhaps by an attempt whose reply was lost. Nothing changed. */
    record AlreadyGivenBack() implements GiveBackResult {}

    /** Nothing is remembered of such a request, or its counter is gone. Nothing changed. */
    record Unknown() implements GiveBackResult {}
}
