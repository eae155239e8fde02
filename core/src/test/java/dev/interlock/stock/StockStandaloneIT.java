// SPDX-License-Identifier: Apache-2.0
package dev.interlock.stock;

import dev.interlock.Topology;

class StockStandaloneIT extends StockContract {
    StockStandaloneIT() {
        super(Topology.STANDALONE);
    }
}
