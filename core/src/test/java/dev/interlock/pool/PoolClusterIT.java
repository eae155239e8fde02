// SPDX-License-Identifier: Apache-2.0
package dev.interlock.pool;

import dev.interlock.Topology;

class PoolClusterIT extends PoolContract {
    PoolClusterIT() {
        super(Topology.CLUSTER);
    }
}
