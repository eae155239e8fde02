// SPDX-License-Identifier: Apache-2.0
package dev.interlock.stock;

import dev.interlock.Topology;

class StockClusterIT extends StockContract {
    StockClusterIT() {
        super(Topology.CLUSTER);
    }
}
