// SPDX-License-Identifier: Apache-2.0
package dev.interlock.pool;

import dev.interlock.Topology;

class PoolSentinelIT extends PoolContract {
    PoolSentinelIT() {
        super(Topology.SENTINEL);
    }
}
