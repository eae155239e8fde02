// SPDX-License-Identifier: Apache-2.0
package dev.interlock.pool;

import dev.interlock.Topology;

class ControlClusterIT extends ControlContract {
    ControlClusterIT() {
        super(Topology.CLUSTER);
    }
}
