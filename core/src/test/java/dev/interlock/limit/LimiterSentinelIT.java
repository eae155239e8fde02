// SPDX-License-Identifier: Apache-2.0
package dev.interlock.limit;

import dev.interlock.Topology;

class LimiterSentinelIT extends LimiterContract {
    LimiterSentinelIT() {
        super(Topology.SENTINEL);
    }
}
