// SPDX-License-Identifier: Apache-2.0
package dev.interlock.value;

import dev.interlock.Topology;

class ValueSentinelIT extends ValueContract {
    ValueSentinelIT() {
        super(Topology.SENTINEL);
    }
}
