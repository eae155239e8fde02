// SPDX-License-Identifier: Apache-2.0
package dev.interlock.pool;

import dev.interlock.Topology;

class ShardedStandaloneIT extends ShardedContract {
    ShardedStandaloneIT() {
        super(Topology.STANDALONE);
    }
}
