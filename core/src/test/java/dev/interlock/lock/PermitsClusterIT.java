// SPDX-License-Identifier: Apache-2.0
package dev.interlock.lock;

import dev.interlock.Topology;

class PermitsClusterIT extends PermitsContract {
    PermitsClusterIT() {
        super(Topology.CLUSTER);
    }
}
