// SPDX-License-Identifier: Apache-2.0
package dev.interlock.flashsale.ops;

import com.zaxxer.hikari.HikariDataSource;
import dev.interlock.Interlock;
import dev.interlock.flashsale.console.Specs;
import dev.interlock.ledger.Ledger;
import dev.interlock.ledger.LedgerListener;
import dev.interlock.ledger.Rebuild;
import dev.interlock.ledger.RebuildResult;
import dev.interlock.ledger.RebuildResult.Rebuilt;
import dev.interlock.ledger.RelayOptions;
import dev.interlock.pool.Pool;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.nio.charset.Charset;
import java.util.concurrent.Callable;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** Brings a pool back from the database. */
@Command(
        name = "rebuild",
        mixinStandardHelpOptions = true,
        usageHelpAutoWidth = true,
        description = {
            "Makes a pool in Redis anew from the database, whatever Redis has of it. Callers are told to come back"
                    + " while it lasts. What the outbox still has is recorded before; what only lost memory had is sold"
                    + " again. A running service does this by itself when it notices that Redis went back in time.",
            ""
        },
        exitCodeListHeading = "%nExit codes:%n",
        exitCodeList = {
            "0:Rebuilt and open.",
            "1:Another process is rebuilding it, or a server does not answer; if that happened on the way, the pool stays"
                    + " shut until this is run again or a relay goes on.",
            "2:A wrong option.",
            "3:The database has nothing of such a pool.",
            "4:Not confirmed; nothing was changed."
        })
final class PoolRebuildCommand implements Callable<Integer> {
    private static final int NOT_CONFIRMED = 4;

    @Spec
    private @Nullable CommandSpec spec;

    @Mixin
    private RedisServerOptions redis = new RedisServerOptions();

    @Mixin
    private LedgerOptions database = new LedgerOptions();

    @Option(names = "--yes", description = "Do not ask before it.")
    private boolean yes;

    @Parameters(paramLabel = "NAME", description = "Name of the pool, such as campaign-1.")
    private String name = "";

    /** Counts what is told while it runs. */
    private static final class Losses implements LedgerListener {
        private final AtomicLong claims = new AtomicLong();

        @Override
        public void lostClaims(long epoch, long from, long to) {
            claims.addAndGet(to - from + 1);
        }
    }

    @Override
    public Integer call() {
        String url = database.checked(Specs.of(spec));
        try (Interlock interlock = redis.connect(spec)) {
            Pool pool = RedisServerOptions.checked(spec, () -> interlock.pool(name));
            if (!yes && !confirmed()) {
                System.err.println("not confirmed; nothing was changed");
                return NOT_CONFIRMED;
            }
            try (HikariDataSource source = LedgerOptions.connect(url)) {
                return rebuild(pool, source);
            }
        }
    }

    private boolean confirmed() {
        System.err.print("Rebuild pool " + name + " from the database? Nothing is issued meanwhile. [yes/no] ");
        System.err.flush();
        try {
            // Not closed: the stream is the process's.
            String answer = new BufferedReader(new InputStreamReader(System.in, Charset.defaultCharset())).readLine();
            return answer != null && answer.strip().equalsIgnoreCase("yes");
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private int rebuild(Pool pool, HikariDataSource source) {
        Ledger ledger = Ledger.of(source);
        ledger.remind(pool, name);
        Losses losses = new Losses();
        RebuildResult result =
                Rebuild.of(pool, name, source, RelayOptions.DEFAULTS, losses).force();
        if (result instanceof Rebuilt rebuilt) {
            System.out.println(name + "  epoch " + rebuilt.epoch() + "  units recorded " + ledger.recordedUnits(name)
                    + "  users " + rebuilt.users() + "  left " + rebuilt.left() + "  lost claims "
                    + losses.claims.get() + "  carried over " + rebuilt.carried() + "  set aside "
                    + rebuilt.dropped());
            return 0;
        }
        if (result instanceof RebuildResult.NoRecord) {
            System.out.println("the database has nothing of a pool " + name);
            return RedisServerOptions.NOTHING;
        }
        System.out.println(name + "  another process has rebuilt it meanwhile or is doing so: see pool show");
        return 1;
    }
}
