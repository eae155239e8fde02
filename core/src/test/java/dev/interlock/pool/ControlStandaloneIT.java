// SPDX-License-Identifier: Apache-2.0
package dev.interlock.pool;

import dev.interlock.Topology;

class ControlStandaloneIT extends ControlContract {
    ControlStandaloneIT() {
        super(Topology.STANDALONE);
    }
}
