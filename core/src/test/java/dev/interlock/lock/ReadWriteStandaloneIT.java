// SPDX-License-Identifier: Apache-2.0
package dev.interlock.lock;

import dev.interlock.Topology;

class ReadWriteStandaloneIT extends ReadWriteContract {
    ReadWriteStandaloneIT() {
        super(Topology.STANDALONE);
    }
}
