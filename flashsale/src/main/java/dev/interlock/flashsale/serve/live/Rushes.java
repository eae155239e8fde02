// SPDX-License-Identifier: Apache-2.0
package dev.interlock.flashsale.serve.live;

import dev.interlock.flashsale.serve.decision.Decisions;
import dev.interlock.flashsale.serve.sale.Sale;
import dev.interlock.flashsale.serve.sale.Sales;
import dev.interlock.flashsale.serve.web.Problem;
import dev.interlock.flashsale.serve.web.RefusedException;
import org.jspecify.annotations.Nullable;
import org.springframework.stereotype.Component;

/** The rush of this process: one at a time. Thread-safe. */
@Component
final class Rushes implements AutoCloseable {
    private final Sales sales;
    private final Decisions decisions;
    private @Nullable Rush latest;
    private long count;

    Rushes(Sales sales, Decisions decisions) {
        this.sales = sales;
        this.decisions = decisions;
    }

    synchronized RushView start(Sale sale, RushRequest request) {
        if (latest != null && latest.running()) {
            throw new RefusedException(Problem.CONFLICT, "a rush is under way: wait for its end or stop it");
        }
        count++;
        Rush rush = new Rush(count, sale, request, sales.pool(sale).async(), decisions);
        latest = rush;
        rush.start();
        return rush.view();
    }

    synchronized @Nullable RushView current() {
        return latest == null ? null : latest.view();
    }

    synchronized @Nullable RushView stop() {
        if (latest != null) {
            latest.stop();
        }
        return current();
    }

    @Override
    public void close() {
        stop();
    }
}
