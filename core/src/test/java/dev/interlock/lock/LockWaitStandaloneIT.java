// SPDX-License-Identifier: Apache-2.0
package dev.interlock.lock;

import dev.interlock.Topology;

class LockWaitStandaloneIT extends LockWaitContract {
    LockWaitStandaloneIT() {
        super(Topology.STANDALONE);
    }
}
