// SPDX-License-Identifier: Apache-2.0
package dev.interlock.lock;

import dev.interlock.Topology;

class PermitsSentinelIT extends PermitsContract {
    PermitsSentinelIT() {
        super(Topology.SENTINEL);
    }
}
