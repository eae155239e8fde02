// SPDX-License-Identifier: Apache-2.0
package dev.interlock.pool;

import dev.interlock.Topology;

class HoldsClusterIT extends HoldsContract {
    HoldsClusterIT() {
        super(Topology.CLUSTER);
    }
}
