// SPDX-License-Identifier: Apache-2.0
package dev.interlock.limit;

import static org.assertj.core.api.Assertions.assertThat;

import dev.interlock.internal.LuaScript;
import dev.interlock.script.lint.ScriptLint;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The scripts of limiters, as they are put together for every set of algorithms. */
class LimitScriptsTest {
    private static final List<Limit> KINDS = List.of(
            Limit.slidingWindow(10, Duration.ofSeconds(1)),
            Limit.gcra(10, Duration.ofSeconds(1)),
            Limit.slidingCounter(10, Duration.ofSeconds(1)),
            Limit.fixedWindow(10, Duration.ofSeconds(1)));

    static Stream<List<Limit>> everySetOfAlgorithms() {
        List<List<Limit>> sets = new ArrayList<>();
        for (int bits = 1; bits < 1 << KINDS.size(); bits++) {
            List<Limit> set = new ArrayList<>();
            for (int i = 0; i < KINDS.size(); i++) {
                if ((bits & 1 << i) != 0) {
                    set.add(KINDS.get(i));
                }
            }
            sets.add(set);
        }
        return sets.stream();
    }

    @ParameterizedTest
    @MethodSource("everySetOfAlgorithms")
    void noScriptHasAFinding(List<Limit> limits) {
        LimitScripts scripts =
                LimitScripts.of(limits.stream().map(LimitSpec::of).toList());
        assertThat(Stream.of(scripts.take(), scripts.peek(), scripts.refund(), scripts.reset()))
                .flatMap(script -> ScriptLint.check(script.name(), source(script)))
                .isEmpty();
    }

    private static String source(LuaScript script) {
        return script.source();
    }
}
