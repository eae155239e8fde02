// SPDX-License-Identifier: Apache-2.0
package dev.interlock.lock;

import dev.interlock.Topology;

class LockWaitSentinelIT extends LockWaitContract {
    LockWaitSentinelIT() {
        super(Topology.SENTINEL);
    }
}
