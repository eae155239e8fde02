// SPDX-License-Identifier: Apache-2.0
package dev.interlock.value;

import dev.interlock.Topology;

class ValueClusterIT extends ValueContract {
    ValueClusterIT() {
        super(Topology.CLUSTER);
    }
}
