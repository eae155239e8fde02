// SPDX-License-Identifier: Apache-2.0
package dev.interlock.idempotency;

import dev.interlock.Topology;

class IdempotencySentinelIT extends IdempotencyContract {
    IdempotencySentinelIT() {
        super(Topology.SENTINEL);
    }
}
