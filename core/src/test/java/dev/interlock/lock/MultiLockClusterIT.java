// SPDX-License-Identifier: Apache-2.0
package dev.interlock.lock;

import dev.interlock.Topology;

class MultiLockClusterIT extends MultiLockContract {
    MultiLockClusterIT() {
        super(Topology.CLUSTER);
    }
}
