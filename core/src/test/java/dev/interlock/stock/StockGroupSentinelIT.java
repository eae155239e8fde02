// SPDX-License-Identifier: Apache-2.0
package dev.interlock.stock;

import dev.interlock.Topology;

class StockGroupSentinelIT extends StockGroupContract {
    StockGroupSentinelIT() {
        super(Topology.SENTINEL);
    }
}
