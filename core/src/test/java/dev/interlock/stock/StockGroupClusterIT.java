// SPDX-License-Identifier: Apache-2.0
package dev.interlock.stock;

import dev.interlock.Topology;

class StockGroupClusterIT extends StockGroupContract {
    StockGroupClusterIT() {
        super(Topology.CLUSTER);
    }
}
