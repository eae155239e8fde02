// SPDX-License-Identifier: Apache-2.0
package dev.interlock.lock;

import dev.interlock.Topology;

class ReadWriteSentinelIT extends ReadWriteContract {
    ReadWriteSentinelIT() {
        super(Topology.SENTINEL);
    }
}
