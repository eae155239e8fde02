// SPDX-License-Identifier: Apache-2.0
package dev.interlock.ledger;

import dev.interlock.pool.PoolEvent.Claim;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;

/** Cuts an ordered row of units into pages, between users. */
final class ClaimPages {
    private static final int PAGE = 2_000;

    private final Consumer<List<Claim>> taker;
    private final List<Claim> page = new ArrayList<>();
    private String user = "";
    private long users;

    ClaimPages(Consumer<List<Claim>> taker) {
        this.taker = taker;
    }

    void add(Claim claim) {
        if (!claim.userId().equals(user)) {
            user = claim.userId();
            users++;
            if (page.size() >= PAGE) {
                flush();
            }
        }
        page.add(claim);
    }

    private void flush() {
        taker.accept(List.copyOf(page));
        page.clear();
    }

    long end() {
        if (!page.isEmpty()) {
            flush();
        }
        return users;
    }
}
