// SPDX-License-Identifier: Apache-2.0
package dev.interlock.ledger;

import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Keeps what a user's listener throws away from the work it listens to. */
record Telling(LedgerListener listener) {
    private static final Logger log = LoggerFactory.getLogger(Telling.class);

    void tell(Consumer<LedgerListener> news) {
        try {
            news.accept(listener);
        } catch (RuntimeException e) {
            log.warn("a ledger listener failed; the work it was told about is not affected", e);
        }
    }
}
