// SPDX-License-Identifier: Apache-2.0
package dev.interlock.value;

import dev.interlock.Topology;

class VersionedStandaloneIT extends VersionedContract {
    VersionedStandaloneIT() {
        super(Topology.STANDALONE);
    }
}
