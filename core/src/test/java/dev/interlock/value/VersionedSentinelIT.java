// SPDX-License-Identifier: Apache-2.0
package dev.interlock.value;

import dev.interlock.Topology;

class VersionedSentinelIT extends VersionedContract {
    VersionedSentinelIT() {
        super(Topology.SENTINEL);
    }
}
