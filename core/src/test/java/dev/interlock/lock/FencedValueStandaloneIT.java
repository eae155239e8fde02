// SPDX-License-Identifier: Apache-2.0
package dev.interlock.lock;

import dev.interlock.Topology;

class FencedValueStandaloneIT extends FencedValueContract {
    FencedValueStandaloneIT() {
        super(Topology.STANDALONE);
    }
}
