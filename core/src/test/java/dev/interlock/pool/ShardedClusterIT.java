// SPDX-License-Identifier: Apache-2.0
package dev.interlock.pool;

import dev.interlock.Topology;

class ShardedClusterIT extends ShardedContract {
    ShardedClusterIT() {
        super(Topology.CLUSTER);
    }
}
