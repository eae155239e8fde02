// SPDX-License-Identifier: Apache-2.0
package dev.interlock.pool;

import dev.interlock.Topology;

class ShardedSentinelIT extends ShardedContract {
    ShardedSentinelIT() {
        super(Topology.SENTINEL);
    }
}
