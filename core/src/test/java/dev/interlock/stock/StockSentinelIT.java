// SPDX-License-Identifier: Apache-2.0
package dev.interlock.stock;

import dev.interlock.Topology;

class StockSentinelIT extends StockContract {
    StockSentinelIT() {
        super(Topology.SENTINEL);
    }
}
