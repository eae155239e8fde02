// SPDX-License-Identifier: Apache-2.0
package dev.interlock.lock;

import dev.interlock.Topology;

class LockStandaloneIT extends LockContract {
    LockStandaloneIT() {
        super(Topology.STANDALONE);
    }
}
