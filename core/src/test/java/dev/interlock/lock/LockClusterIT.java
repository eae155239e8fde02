// SPDX-License-Identifier: Apache-2.0
package dev.interlock.lock;

import dev.interlock.Topology;

class LockClusterIT extends LockContract {
    LockClusterIT() {
        super(Topology.CLUSTER);
    }
}
