// SPDX-License-Identifier: Apache-2.0
package dev.interlock.pool;

import dev.interlock.Topology;

class HoldsStandaloneIT extends HoldsContract {
    HoldsStandaloneIT() {
        super(Topology.STANDALONE);
    }
}
