// SPDX-License-Identifier: Apache-2.0
package dev.interlock.lock;

import dev.interlock.Topology;

class LockWaitClusterIT extends LockWaitContract {
    LockWaitClusterIT() {
        super(Topology.CLUSTER);
    }
}
