// SPDX-License-Identifier: Apache-2.0
package dev.interlock.idempotency;

import dev.interlock.Topology;

class IdempotencyStandaloneIT extends IdempotencyContract {
    IdempotencyStandaloneIT() {
        super(Topology.STANDALONE);
    }
}
