// SPDX-License-Identifier: Apache-2.0
package dev.interlock.limit;

import dev.interlock.Topology;

class LimiterStandaloneIT extends LimiterContract {
    LimiterStandaloneIT() {
        super(Topology.STANDALONE);
    }
}
