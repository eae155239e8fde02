// SPDX-License-Identifier: Apache-2.0
package dev.interlock.lock;

import dev.interlock.Topology;

class MultiLockStandaloneIT extends MultiLockContract {
    MultiLockStandaloneIT() {
        super(Topology.STANDALONE);
    }
}
