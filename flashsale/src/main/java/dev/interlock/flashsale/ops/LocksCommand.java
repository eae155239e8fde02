// SPDX-License-Identifier: Apache-2.0
package dev.interlock.flashsale.ops;

import dev.interlock.Interlock;
import dev.interlock.lock.HeldLock;
import dev.interlock.lock.LockOwner;
import java.time.Duration;
import java.util.List;
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

/** Locks on the command line. */
@Command(
        name = "locks",
        mixinStandardHelpOptions = true,
        usageHelpAutoWidth = true,
        description = {"Shows who holds which lock, and takes one away from a holder that hangs.", ""},
        subcommands = {LocksCommand.ListCommand.class, LocksCommand.ShowCommand.class, LocksCommand.ReleaseCommand.class
        })
public final class LocksCommand implements Runnable {
    @Spec
    private @Nullable CommandSpec spec;

    /** For picocli. */
    public LocksCommand() {}

    @Override
    public void run() {
        if (spec != null) {
            throw new ParameterException(spec.commandLine(), "say what: list, show NAME or release NAME");
        }
    }

    private static String line(String name, LockOwner owner) {
        StringBuilder line = new StringBuilder(name).append("  fence ").append(owner.fence());
        if (!owner.host().isEmpty()) {
            line.append("  held by ").append(owner.host()).append(':').append(owner.pid());
        }
        if (!owner.application().isEmpty()) {
            line.append(" (").append(owner.application()).append(')');
        }
        owner.since().ifPresent(since -> line.append("  since ").append(since));
        line.append("  for another ")
                .append(owner.remaining()
                        .map(Duration::toMillis)
                        .map(ms -> ms + " ms")
                        .orElse("ever"));
        return line.append("  waiting processes ").append(owner.waiting()).toString();
    }

    /** Lists the locks that are held. */
    @Command(
            name = "list",
            mixinStandardHelpOptions = true,
            usageHelpAutoWidth = true,
            description = "Lists the plain locks that are held now, by name. Reads all key names of Redis.",
            exitCodeListHeading = "%nExit codes:%n",
            exitCodeList = {
                "0:Listed; none is held if nothing was printed.",
                "1:Redis does not answer.",
                "2:A wrong option."
            })
    static final class ListCommand implements Callable<Integer> {
        @Spec
        private @Nullable CommandSpec spec;

        @Mixin
        private RedisServerOptions redis = new RedisServerOptions();

        @Option(
                names = "--most",
                paramLabel = "N",
                defaultValue = "1000",
                description = "Most locks, 1 to 10,000. Default: ${DEFAULT-VALUE}.")
        private int most;

        @Override
        public Integer call() {
            try (Interlock interlock = redis.connect(spec)) {
                List<HeldLock> locks =
                        RedisServerOptions.checked(spec, () -> interlock.locks().held(most));
                locks.forEach(lock -> System.out.println(line(lock.name(), lock.owner())));
                return 0;
            }
        }
    }

    /** Shows one lock. */
    @Command(
            name = "show",
            mixinStandardHelpOptions = true,
            usageHelpAutoWidth = true,
            description = "Shows who holds a lock.",
            exitCodeListHeading = "%nExit codes:%n",
            exitCodeList = {
                "0:Somebody holds it.",
                "1:Redis does not answer.",
                "2:A wrong option.",
                "3:Nobody holds it."
            })
    static final class ShowCommand implements Callable<Integer> {
        @Spec
        private @Nullable CommandSpec spec;

        @Mixin
        private RedisServerOptions redis = new RedisServerOptions();

        @Parameters(paramLabel = "NAME", description = "Name of the lock.")
        private String name = "";

        @Override
        public Integer call() {
            try (Interlock interlock = redis.connect(spec)) {
                Optional<LockOwner> owner = RedisServerOptions.checked(
                        spec, () -> interlock.lock(name).owner());
                System.out.println(owner.map(found -> line(name, found)).orElse("nobody holds " + name));
                return owner.isPresent() ? 0 : RedisServerOptions.NOTHING;
            }
        }
    }

    /** Takes a lock away. */
    @Command(
            name = "release",
            mixinStandardHelpOptions = true,
            usageHelpAutoWidth = true,
            description =
                    "Takes a lock from its holder, who is told within 100 ms, and gives it to the next waiter. What the"
                            + " holder does goes on until it heeds that: only the fence keeps its late writes out.",
            exitCodeListHeading = "%nExit codes:%n",
            exitCodeList = {
                "0:It was held and is released.",
                "1:Redis does not answer.",
                "2:A wrong option.",
                "3:Nobody held it."
            })
    static final class ReleaseCommand implements Callable<Integer> {
        @Spec
        private @Nullable CommandSpec spec;

        @Mixin
        private RedisServerOptions redis = new RedisServerOptions();

        @Parameters(paramLabel = "NAME", description = "Name of the lock.")
        private String name = "";

        @Override
        public Integer call() {
            try (Interlock interlock = redis.connect(spec)) {
                boolean held = RedisServerOptions.checked(
                        spec, () -> interlock.lock(name).forceRelease());
                System.out.println(held ? "released " + name : "nobody held " + name);
                return held ? 0 : RedisServerOptions.NOTHING;
            }
        }
    }
}
