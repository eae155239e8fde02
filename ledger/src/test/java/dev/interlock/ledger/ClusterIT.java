// SPDX-License-Identifier: Apache-2.0
package dev.interlock.ledger;

import static org.assertj.core.api.Assertions.assertThat;

import dev.interlock.embedded.RedisServer;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;

/** The ledger on a Redis Cluster. */
class ClusterIT {
    @AutoClose
    private static final Servers servers = new Servers(RedisServer.builder().clusterEnabled());

    @Test
    void recordsDerivesAndReconciles() {
        try (Sale sale = servers.sale().of(10_000)) {
            Relay relay = sale.relay(Sale.QUICK);
            sale.issue(500);
            sale.awaitRecorded();
            relay.close();
            sale.issue(500);
            servers.commands.del(sale.key("outbox"));
            sale.relay(Sale.QUICK);
            sale.awaitRecorded();
            sale.issue(500);
            sale.awaitRecorded();

            sale.assertExact();
            assertThat(sale.notes.losses).containsExactly("501..1000");
            servers.commands.hincrby(sale.key("meta"), "left", 7);
            assertThat(sale.reconcile(RepairPolicy.TOWARDS_LESS).check()).isInstanceOf(ReconcileResult.Drifted.class);
            sale.awaitRecorded();
            assertThat(sale.state().available()).isEqualTo(8_500);
        }
    }
}
