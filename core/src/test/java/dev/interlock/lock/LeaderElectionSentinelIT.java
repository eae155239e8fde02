// SPDX-License-Identifier: Apache-2.0
package dev.interlock.lock;

import dev.interlock.Topology;

class LeaderElectionSentinelIT extends LeaderElectionContract {
    LeaderElectionSentinelIT() {
        super(Topology.SENTINEL);
    }
}
