// SPDX-License-Identifier: Apache-2.0
package dev.interlock.ledger;

import dev.interlock.pool.IssueResult;
import dev.interlock.pool.Pool;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.concurrent.Semaphore;
import org.postgresql.ds.PGSimpleDataSource;

/**
 * A service that issues units and records them until it is killed. Prints each acknowledged request and a dot, each
 * alarm and an exclamation mark.
 *
 * <p>Arguments: Redis URI, JDBC URL, pool, prefix of the user ids or {@code -} to record only.
 */
final class IssuerMain {
    private static final int IN_FLIGHT = 16;

    private IssuerMain() {}

    public static void main(String[] args) throws InterruptedException {
        PGSimpleDataSource database = new PGSimpleDataSource();
        database.setUrl(args[1]);
        Pool pool = Servers.connect(args[0]).pool(args[2]);
        RelayOptions options = Sale.QUICK.withLease(Duration.ofMillis(200)).withBatchEvents(1_000);
        PrintStream out = new PrintStream(System.out, true, StandardCharsets.UTF_8);
        LedgerListener alarms = new LedgerListener() {
            @Override
            public void lostEvents(long from, long to) {
                out.println("lost " + from + " to " + to + "!");
            }

            @Override
            public void poison(DeadEvent event) {
                out.println("poison " + event + "!");
            }
        };
        Relay.of(pool, args[2], database, options, alarms).start();
        Semaphore permits = new Semaphore(IN_FLIGHT);
        for (int i = 0; !args[3].equals("-"); i++) {
            permits.acquire();
            String request = args[3] + "-" + i;
            pool.async().issue(args[3] + "-user-" + i, request).whenComplete((result, failure) -> {
                if (result instanceof IssueResult.Issued) {
                    out.println(request + ".");
                }
                permits.release();
            });
        }
        Thread.currentThread().join();
    }
}
