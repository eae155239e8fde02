// SPDX-License-Identifier: Apache-2.0
package dev.interlock.pool;

import dev.interlock.Topology;

class OutboxStandaloneIT extends OutboxContract {
    OutboxStandaloneIT() {
        super(Topology.STANDALONE);
    }
}
