// SPDX-License-Identifier: Apache-2.0
package dev.interlock.ledger;

import static org.assertj.core.api.Assertions.assertThat;

import dev.interlock.Interlock;
import dev.interlock.embedded.RedisServer;
import dev.interlock.pool.Pool;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;

/** Servers that lose memory, two nodes, and a pool whose rebuild is checked. */
abstract class RebuildFixture {
    static Servers servers;
    static Interlock secondNode;
    final Sale sale = servers.sale();
    final Notes otherNotes = new Notes();

    @BeforeAll
    static void start() {
        servers = new Servers(RedisServer.builder().config("repl-diskless-sync-delay", "0"));
        secondNode = Servers.connect(servers.redis.uri());
    }

    @AfterAll
    static void stop() {
        secondNode.close();
        servers.close();
    }

    @AfterEach
    void close() {
        sale.close();
    }

    Pool second() {
        return secondNode.pool(sale.name);
    }

    Rebuild rebuild(Pool pool, Notes notes) {
        return Rebuild.of(pool, sale.name, sale.database, Sale.QUICK, notes);
    }

    /** Units that somebody holds and units left are all there were: nothing oversold, nothing vanished. */
    void assertConserved(long total) {
        sale.assertExact();
        long held = sale.count(
                "SELECT count(*) FROM interlock_event WHERE pool = :pool AND kind = 'ISSUED' AND revoked_by IS NULL");
        assertThat(held + sale.state().available()).isEqualTo(total);
        assertThat(servers.commands.hlen(sale.key("claims")))
                .isEqualTo(sale.state().users());
        assertThat(sale.reconcile(RepairPolicy.REPAIR).check()).isInstanceOf(ReconcileResult.Consistent.class);
    }
}
