// SPDX-License-Identifier: Apache-2.0
package dev.interlock.pool;

import dev.interlock.Topology;

class ControlSentinelIT extends ControlContract {
    ControlSentinelIT() {
        super(Topology.SENTINEL);
    }
}
