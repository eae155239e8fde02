// SPDX-License-Identifier: Apache-2.0
package dev.interlock.lock;

import dev.interlock.Topology;

class LeaderElectionClusterIT extends LeaderElectionContract {
    LeaderElectionClusterIT() {
        super(Topology.CLUSTER);
    }
}
