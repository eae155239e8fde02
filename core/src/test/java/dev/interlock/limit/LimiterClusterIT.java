// SPDX-License-Identifier: Apache-2.0
package dev.interlock.limit;

import dev.interlock.Topology;

class LimiterClusterIT extends LimiterContract {
    LimiterClusterIT() {
        super(Topology.CLUSTER);
    }
}
