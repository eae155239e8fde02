// SPDX-License-Identifier: Apache-2.0
package dev.interlock.ledger;

import dev.interlock.pool.Pool;
import org.postgresql.ds.PGSimpleDataSource;

/**
 * Rebuilds a pool, in a process that can be killed over it.
 *
 * <p>Arguments: Redis URI, JDBC URL, pool.
 */
final class RebuilderMain {
    private RebuilderMain() {}

    public static void main(String[] args) {
        PGSimpleDataSource database = new PGSimpleDataSource();
        database.setUrl(args[1]);
        Pool pool = Servers.connect(args[0]).pool(args[2]);
        System.out.println(Rebuild.of(pool, args[2], database, Sale.QUICK, new LedgerListener() {})
                .run());
        System.exit(0);
    }
}
