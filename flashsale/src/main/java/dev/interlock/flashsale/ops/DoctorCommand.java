// SPDX-License-Identifier: Apache-2.0
package dev.interlock.flashsale.ops;

import dev.interlock.Interlock;
import dev.interlock.ScriptMode;
import dev.interlock.doctor.Diagnosis;
import dev.interlock.doctor.Diagnosis.Level;
import dev.interlock.flashsale.console.Specs;
import java.util.List;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** Examines servers. */
@Command(
        name = "doctor",
        mixinStandardHelpOptions = true,
        usageHelpAutoWidth = true,
        description = {"Looks for what is set wrong on the masters of a Redis. Reads only.", ""},
        exitCodeListHeading = "%nExit codes:%n",
        exitCodeList = {
            "0:Nothing fails; there may be warnings.",
            "1:Something fails, or Redis could not be reached.",
            "2:A wrong option."
        })
public final class DoctorCommand implements Callable<Integer> {
    @Spec
    private @Nullable CommandSpec spec;

    @Mixin
    private RedisParameter redis = new RedisParameter();

    @Option(
            names = "--functions",
            description = "The application uses functions (ScriptMode.FUNCTION): look for those instead of scripts.")
    private boolean functions;

    /** For picocli. */
    public DoctorCommand() {}

    @Override
    public Integer call() {
        ScriptMode mode = functions ? ScriptMode.FUNCTION : ScriptMode.EVALSHA;
        try (Interlock interlock =
                redis.builder(Specs.of(spec)).scriptMode(mode).build()) {
            List<Diagnosis> found = interlock.doctor().examine();
            found.forEach(System.out::println);
            return found.stream().anyMatch(each -> each.level() == Level.FAIL) ? 1 : 0;
        }
    }
}
