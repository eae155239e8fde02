// SPDX-License-Identifier: Apache-2.0
package dev.interlock.ledger;

/** The database refuses event after event, so the fault is not theirs. Nothing more is set aside. */
final class Refusing extends RuntimeException {
    private static final long serialVersionUID = 1L;

    Refusing(RuntimeException refusal) {
        super("the database refuses every event", refusal, false, false);
    }
}
