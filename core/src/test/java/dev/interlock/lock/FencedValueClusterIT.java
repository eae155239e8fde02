// SPDX-License-Identifier: Apache-2.0
package dev.interlock.lock;

import dev.interlock.Topology;

class FencedValueClusterIT extends FencedValueContract {
    FencedValueClusterIT() {
        super(Topology.CLUSTER);
    }
}
