// SPDX-License-Identifier: Apache-2.0
package dev.interlock.internal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ScriptHeaderTest {
    private static final String GOOD = """
            #!lua flags=allow-oom,allow-stale
            -- SPDX-License-Identifier: Apache-2.0
            -- Does a thing,
            -- and well.
            --
            -- KEYS[1] key     string
            -- KEYS[2..] more  string
            -- ARGV[1] amount  units, 1..9
            -- Returns {0} done
            --         or {1} not
            -- Cost    O(1)
            -- Retry   safe: by request
            return {0}
            """;

    @Test
    void readsEveryPart() {
        ScriptHeader header = ScriptHeader.parse("x", GOOD);
        assertThat(header.flags()).containsExactlyInAnyOrder("allow-oom", "allow-stale");
        assertThat(header.summary()).isEqualTo("Does a thing, and well.");
        assertThat(header.keys()).containsExactly("1", "2..");
        assertThat(header.args()).containsExactly("1");
        assertThat(header.retrySafe()).isTrue();
    }

    @Test
    void isNotSafeToRepeatUnlessItSaysSoOrOnlyReads() {
        assertThat(ScriptHeader.parse("x", GOOD.replace("safe:", "unsafe:")).retrySafe())
                .isFalse();
        assertThat(ScriptHeader.parse("x", GOOD.replace("Retry", "Again")).retrySafe())
                .isFalse();
        assertThat(ScriptHeader.parse("x", GOOD.replace("safe:", "unsafe:").replace("allow-oom", "no-writes"))
                        .retrySafe())
                .isTrue();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "#!lua flags=allow-oom,allow-stale",
                "-- Does a thing,\n-- and well.\n",
                "-- Returns {0} done",
                "-- Cost    O(1)"
            })
    void refusesAScriptThatLacksAPart(String part) {
        assertThatThrownBy(() -> ScriptHeader.parse("mine", GOOD.replace(part, part.endsWith("\n") ? "" : "--")))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageStartingWith("script mine: ");
        assertThatThrownBy(() -> ScriptHeader.parse("mine", "")).hasMessageContaining("#!lua");
    }
}
