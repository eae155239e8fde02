// SPDX-License-Identifier: Apache-2.0
package dev.interlock.ledger;

import dev.interlock.Interlock;
import dev.interlock.lock.Lease;
import dev.interlock.lock.LeaseLostException;
import dev.interlock.lock.LockOptions;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import org.postgresql.ds.PGSimpleDataSource;

/**
 * A holder that is to be paused: acquires a lock, says so, waits to be told to go on, then writes down whether it knows that
 * its lease is lost, and how many rows its write changed all the same.
 *
 * <p>Arguments: Redis URI, JDBC URL, name of the lock, lease time in milliseconds.
 */
final class PausedHolderMain {
    private PausedHolderMain() {}

    public static void main(String[] args) throws Exception {
        PGSimpleDataSource database = new PGSimpleDataSource();
        database.setUrl(args[1]);
        FenceGuard guard = new FenceGuard(database);
        PrintStream out = new PrintStream(System.out, true, StandardCharsets.UTF_8);
        LockOptions options = LockOptions.DEFAULTS.withLeaseTime(Duration.ofMillis(Long.parseLong(args[3])));
        try (Interlock interlock = Servers.connect(args[0])) {
            Lease lease = interlock.lock(args[2], options).acquire(Duration.ofSeconds(10));
            out.println("held " + lease.fence());
            if (System.in.read() < 0) {
                return;
            }
            try {
                lease.ensureValid();
                out.println("valid");
            } catch (LeaseLostException e) {
                out.println("lost");
            }
            // Code that does not ask, as most code.
            out.println("rows " + guard.update("article", "quantity = quantity - 1", "id = ?", lease.fence(), 42));
            out.println("written " + guard.write("article", lease.fence(), () -> {}));
        }
    }
}
