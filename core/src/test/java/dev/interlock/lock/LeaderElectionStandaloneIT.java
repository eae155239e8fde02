// SPDX-License-Identifier: Apache-2.0
package dev.interlock.lock;

import dev.interlock.Topology;

class LeaderElectionStandaloneIT extends LeaderElectionContract {
    LeaderElectionStandaloneIT() {
        super(Topology.STANDALONE);
    }
}
