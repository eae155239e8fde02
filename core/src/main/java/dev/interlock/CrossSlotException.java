// SPDX-License-Identifier: Apache-2.0
package dev.interlock;

/**
 * The keys of one call belong to different cluster slots. Refused before anything is sent, also against a standalone
 * server, so that it fails in the first test and not at the move to a cluster. The message names the keys, their slots
 * and a hash-tagged spelling that puts them into one slot.
 */
public final class CrossSlotException extends IllegalArgumentException {
    private static final long serialVersionUID = 1L;

    /**
     * Creates the exception.
     *
     * @param message the keys, their slots, and the suggestion
     */
    public CrossSlotException(String message) {
        super(message);
    }
}
