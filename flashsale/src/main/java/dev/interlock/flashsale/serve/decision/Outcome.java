// SPDX-License-Identifier: Apache-2.0
package dev.interlock.flashsale.serve.decision;

/** What a user can be told about a coupon or a hold. */
public enum Outcome {
    /** Got a unit. */
    ISSUED("issued"),
    /** Got the answer of the same request again. */
    REPLAYED("replayed"),
    /** Has one already. */
    ALREADY_ISSUED("alreadyIssued"),
    /** None left. */
    SOLD_OUT("soldOut"),
    /** Too late. */
    CLOSED("closed"),
    /** Too early. */
    NOT_OPEN("notOpen"),
    /** Over the user's limit. */
    LIMITED("limited"),
    /** Come back later: the pool is put right, or the database is too far behind. */
    UNAVAILABLE("unavailable"),
    /** The reply of Redis is missing: ask again with the same key. */
    UNKNOWN("unknown");

    private final String text;

    Outcome(String text) {
        this.text = text;
    }

    /**
     * Its name in messages and as a meter tag.
     *
     * @return the name
     */
    public String text() {
        return text;
    }
}
