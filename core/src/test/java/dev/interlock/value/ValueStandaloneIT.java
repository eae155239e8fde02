// SPDX-License-Identifier: Apache-2.0
package dev.interlock.value;

import dev.interlock.Topology;

class ValueStandaloneIT extends ValueContract {
    ValueStandaloneIT() {
        super(Topology.STANDALONE);
    }
}
