// SPDX-License-Identifier: Apache-2.0
package dev.interlock.limit;

import dev.interlock.internal.Bounds;
import dev.interlock.internal.Keys;
import dev.interlock.internal.Names;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** What a limiter is: its name, limits and options, checked. Its keys are {@code limit:{limiter:user}:part}. */
final class LimiterSpec {
    private static final String PRIMITIVE = "limit";
    private static final int MAX_LIMITS = 8;

    final String name;
    final List<Limit> limits;
    final List<LimitSpec> specs;
    final RateLimiterOptions options;
    /** Four arguments a limit. */
    final byte[][] args;
    /** Longest time until everything is back. */
    final long refillMicros;

    private final Keys keys;
    private final List<String> parts = new ArrayList<>();

    LimiterSpec(Keys keys, String name, RateLimiterOptions options, Limit... limits) {
        this.keys = keys;
        this.name = Names.name("limiter", name);
        this.options = options;
        Bounds.range("number of limits", limits.length, 1, MAX_LIMITS);
        this.limits = List.copyOf(Arrays.asList(limits));
        this.specs = this.limits.stream().map(LimitSpec::of).toList();
        this.args = specs.stream().flatMap(spec -> spec.args().stream()).toArray(byte[][]::new);
        this.refillMicros =
                specs.stream().mapToLong(LimitSpec::refillMicros).max().orElseThrow();
        Map<Character, Integer> seen = new HashMap<>();
        for (LimitSpec spec : specs) {
            // By algorithm and place, not by numbers: a changed limit finds what was used.
            int nth = seen.merge(spec.kind(), 1, Integer::sum);
            parts.add(spec.kind() + (nth == 1 ? "" : String.valueOf(nth)));
        }
    }

    /** Equal for limiters that behave alike. */
    String identity() {
        return name + '\n' + limits + options;
    }

    /** The states of a user, one a limit. */
    byte[][] states(String user) {
        byte[][] states = new byte[parts.size()][];
        for (int i = 0; i < states.length; i++) {
            states[i] = key(user, parts.get(i));
        }
        return states;
    }

    byte[] key(String user, String part) {
        return keys.part(PRIMITIVE, name, user, part);
    }
}
