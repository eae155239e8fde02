// SPDX-License-Identifier: Apache-2.0
package dev.interlock.lock;

import dev.interlock.Topology;

class LockSentinelIT extends LockContract {
    LockSentinelIT() {
        super(Topology.SENTINEL);
    }
}
