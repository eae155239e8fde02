// SPDX-License-Identifier: Apache-2.0
package dev.interlock.lock;

import dev.interlock.Topology;

class FencedValueSentinelIT extends FencedValueContract {
    FencedValueSentinelIT() {
        super(Topology.SENTINEL);
    }
}
