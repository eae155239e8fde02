// SPDX-License-Identifier: Apache-2.0
package dev.interlock.pool;

import dev.interlock.Topology;

class PoolStandaloneIT extends PoolContract {
    PoolStandaloneIT() {
        super(Topology.STANDALONE);
    }
}
