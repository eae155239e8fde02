// SPDX-License-Identifier: Apache-2.0
package dev.interlock.flashsale.ops;

import com.zaxxer.hikari.HikariDataSource;
import dev.interlock.Interlock;
import dev.interlock.flashsale.console.Specs;
import dev.interlock.ledger.LedgerListener;
import dev.interlock.ledger.Reconcile;
import dev.interlock.ledger.ReconcileOptions;
import dev.interlock.ledger.ReconcileResult;
import dev.interlock.ledger.RepairPolicy;
import dev.interlock.pool.Pool;
import dev.interlock.pool.PoolConfig;
import dev.interlock.pool.PoolState;
import java.util.Optional;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** Pools on the command line. */
@Command(
        name = "pool",
        mixinStandardHelpOptions = true,
        usageHelpAutoWidth = true,
        description = {"Shows a pool, checks it against the database, and brings it back from there.", ""},
        subcommands = {PoolCommand.ShowCommand.class, PoolCommand.ReconcileCommand.class, PoolRebuildCommand.class})
public final class PoolCommand implements Runnable {
    @Spec
    private @Nullable CommandSpec spec;

    /** For picocli. */
    public PoolCommand() {}

    @Override
    public void run() {
        if (spec != null) {
            throw new ParameterException(spec.commandLine(), "say what: show NAME, reconcile NAME or rebuild NAME");
        }
    }

    /** Shows a pool. */
    @Command(
            name = "show",
            mixinStandardHelpOptions = true,
            usageHelpAutoWidth = true,
            description = "Shows what Redis has of a pool. Needs no database.",
            exitCodeListHeading = "%nExit codes:%n",
            exitCodeList = {"0:Shown.", "1:Redis does not answer.", "2:A wrong option.", "3:There is no such pool."})
    static final class ShowCommand implements Callable<Integer> {
        @Spec
        private @Nullable CommandSpec spec;

        @Mixin
        private RedisServerOptions redis = new RedisServerOptions();

        @Parameters(paramLabel = "NAME", description = "Name of the pool, such as campaign-1.")
        private String name = "";

        @Override
        public Integer call() {
            try (Interlock interlock = redis.connect(spec)) {
                Pool pool = RedisServerOptions.checked(spec, () -> interlock.pool(name));
                Optional<PoolState> state = pool.state();
                Optional<PoolConfig> settings = pool.control().settings();
                if (state.isEmpty() || settings.isEmpty()) {
                    System.out.println("there is no pool " + name);
                    return RedisServerOptions.NOTHING;
                }
                System.out.println(text(name, state.get(), settings.get()));
                return 0;
            }
        }

        private static String text(String name, PoolState state, PoolConfig settings) {
            return name + "  left " + state.available() + "  held " + state.held() + "  created with "
                    + settings.total()
                    + "  users " + state.users() + "  limit per user " + settings.limitPerUser() + "  opens "
                    + (settings.opensAt() == null ? "at once" : settings.opensAt()) + "  closes "
                    + (settings.closesAt() == null ? "never" : settings.closesAt()) + "  epoch " + state.epoch()
                    + "  sequence " + state.sequence() + (state.fenced() ? "  FENCED" : "");
        }
    }

    /** Checks a pool. */
    @Command(
            name = "reconcile",
            mixinStandardHelpOptions = true,
            usageHelpAutoWidth = true,
            description =
                    "Compares the units that Redis has left with the database, at the same event, while traffic flows.",
            exitCodeListHeading = "%nExit codes:%n",
            exitCodeList = {
                "0:They agree, or a surplus was found and repaired.",
                "1:They do not agree, nothing was compared, or a server does not answer.",
                "2:A wrong option.",
                "3:There is no such pool."
            })
    static final class ReconcileCommand implements Callable<Integer> {
        @Spec
        private @Nullable CommandSpec spec;

        @Mixin
        private RedisServerOptions redis = new RedisServerOptions();

        @Mixin
        private LedgerOptions database = new LedgerOptions();

        @Option(
                names = "--repair",
                description = "Take away units that Redis has too many. Without it nothing is changed.")
        private boolean repair;

        @Parameters(paramLabel = "NAME", description = "Name of the pool, such as campaign-1.")
        private String name = "";

        @Override
        public Integer call() {
            String url = database.checked(Specs.of(spec));
            ReconcileOptions options =
                    ReconcileOptions.DEFAULTS.withPolicy(repair ? RepairPolicy.TOWARDS_LESS : RepairPolicy.ALARM_ONLY);
            try (HikariDataSource source = LedgerOptions.connect(url);
                    Interlock interlock = redis.connect(spec)) {
                Pool pool = RedisServerOptions.checked(spec, () -> interlock.pool(name));
                ReconcileResult result = Reconcile.of(pool, name, source, options, new LedgerListener() {})
                        .check();
                System.out.println(name + "  " + result);
                return code(result);
            }
        }

        private static int code(ReconcileResult result) {
            if (result instanceof ReconcileResult.NoPool) {
                return RedisServerOptions.NOTHING;
            }
            boolean repaired = result instanceof ReconcileResult.Drifted drifted
                    && drifted.repair().isPresent();
            return result instanceof ReconcileResult.Consistent || repaired ? 0 : 1;
        }
    }
}
