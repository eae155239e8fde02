// SPDX-License-Identifier: Apache-2.0
package dev.interlock.lock;

import dev.interlock.Topology;

class PermitsStandaloneIT extends PermitsContract {
    PermitsStandaloneIT() {
        super(Topology.STANDALONE);
    }
}
