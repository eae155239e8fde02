// SPDX-License-Identifier: Apache-2.0
package dev.interlock.fault;

import static org.assertj.core.api.Assertions.assertThat;

import dev.interlock.stock.AddResult;
import dev.interlock.stock.StockCounter;
import dev.interlock.stock.TakeResult;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Takes units until none is left, then restocks: what was confirmed must never be more than there was. */
final class StockFlow extends Flow {
    private static final long UNITS = 20;

    private final StockCounter stock;
    private final Map<String, Long> taken = new HashMap<>();
    private final List<String> forgotten = new ArrayList<>();
    private long there;
    private long confirmed;
    private String again = "";

    StockFlow(String name, StockCounter stock) {
        super(name);
        this.stock = stock;
    }

    @Override
    String ask(String requestId) {
        if (there == 0) {
            stock.initialize(UNITS);
            there = UNITS;
        }
        if (!again.isEmpty()) {
            return replay();
        }
        TakeResult result = stock.take(1, requestId);
        if (result instanceof TakeResult.Taken one) {
            confirmed++;
            taken.put(requestId, one.left());
            again = requestId;
            return result.toString();
        }
        if (result instanceof TakeResult.Insufficient) {
            assertThat(stock.add(UNITS, "restock " + requestId)).isInstanceOf(AddResult.Added.class);
            there += UNITS;
            return result.toString();
        }
        throw new IllegalStateException("the counter is gone");
    }

    /** The same request once more: the same answer. */
    private String replay() {
        String id = again;
        TakeResult result = stock.take(1, id);
        again = "";
        if (!result.equals(new TakeResult.Taken(taken.get(id)))) {
            forgotten.add(id + ": " + result);
        }
        return "replayed " + result;
    }

    @Override
    void verify(boolean lossless) {
        long left = stock.available().orElseThrow();
        long lost = left - (there - confirmed);
        if (lossless) {
            assertThat(forgotten).isEmpty();
            assertThat(lost).as("confirmed units that Redis forgot").isZero();
        } else {
            // Restocks may be forgotten as well, so this may be negative.
            System.out.println(name + ": Redis forgot " + lost + " of " + confirmed + " confirmed units");
        }
    }
}
