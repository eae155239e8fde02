// SPDX-License-Identifier: Apache-2.0
package dev.interlock.pool;

import dev.interlock.Topology;

class OutboxSentinelIT extends OutboxContract {
    OutboxSentinelIT() {
        super(Topology.SENTINEL);
    }
}
