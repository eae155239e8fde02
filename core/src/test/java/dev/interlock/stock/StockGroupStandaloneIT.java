// SPDX-License-Identifier: Apache-2.0
package dev.interlock.stock;

import dev.interlock.Topology;

class StockGroupStandaloneIT extends StockGroupContract {
    StockGroupStandaloneIT() {
        super(Topology.STANDALONE);
    }
}
