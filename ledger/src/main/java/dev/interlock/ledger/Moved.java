// SPDX-License-Identifier: Apache-2.0
package dev.interlock.ledger;

/** The position is not what this relay believed: another one moved it. Nothing was recorded; load it again. */
final class Moved extends RuntimeException {
    private static final long serialVersionUID = 1L;

    Moved() {
        super("another relay moved the position", null, false, false);
    }
}
