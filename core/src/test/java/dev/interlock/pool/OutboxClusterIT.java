// SPDX-License-Identifier: Apache-2.0
package dev.interlock.pool;

import dev.interlock.Topology;

class OutboxClusterIT extends OutboxContract {
    OutboxClusterIT() {
        super(Topology.CLUSTER);
    }
}
