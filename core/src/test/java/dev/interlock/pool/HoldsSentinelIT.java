// SPDX-License-Identifier: Apache-2.0
package dev.interlock.pool;

import dev.interlock.Topology;

class HoldsSentinelIT extends HoldsContract {
    HoldsSentinelIT() {
        super(Topology.SENTINEL);
    }
}
