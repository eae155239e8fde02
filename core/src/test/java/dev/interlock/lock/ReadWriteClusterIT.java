// SPDX-License-Identifier: Apache-2.0
package dev.interlock.lock;

import dev.interlock.Topology;

class ReadWriteClusterIT extends ReadWriteContract {
    ReadWriteClusterIT() {
        super(Topology.CLUSTER);
    }
}
