// SPDX-License-Identifier: Apache-2.0
package dev.interlock.value;

import dev.interlock.Topology;

class VersionedClusterIT extends VersionedContract {
    VersionedClusterIT() {
        super(Topology.CLUSTER);
    }
}
