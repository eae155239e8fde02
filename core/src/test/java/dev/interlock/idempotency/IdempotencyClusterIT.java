// SPDX-License-Identifier: Apache-2.0
package dev.interlock.idempotency;

import dev.interlock.Topology;

class IdempotencyClusterIT extends IdempotencyContract {
    IdempotencyClusterIT() {
        super(Topology.CLUSTER);
    }
}
