// SPDX-License-Identifier: Apache-2.0
package dev.interlock.lock;

import dev.interlock.Topology;

class MultiLockSentinelIT extends MultiLockContract {
    MultiLockSentinelIT() {
        super(Topology.SENTINEL);
    }
}
