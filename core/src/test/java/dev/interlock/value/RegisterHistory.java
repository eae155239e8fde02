// SPDX-License-Identifier: Apache-2.0
package dev.interlock.value;

import dev.interlock.value.Linearizability.Call;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.function.Function;

/** What several threads did to one value, as calls of a register that may be empty. Thread-safe. */
final class RegisterHistory {
    static final long BUDGET = 5_000_000;

    private final ConcurrentLinkedQueue<Call<Optional<String>>> calls = new ConcurrentLinkedQueue<>();

    void read(long begin, long end, Optional<String> result) {
        add("read = " + result, begin, end, state -> state.equals(result) ? Optional.of(state) : Optional.empty());
    }

    void swapped(long begin, long end, Optional<String> expected, Optional<String> next) {
        add(
                expected + " -> " + next,
                begin,
                end,
                state -> state.equals(expected) ? Optional.of(next) : Optional.empty());
    }

    /** Refused because of what was there: a value, or none. */
    void refused(long begin, long end, Optional<String> expected, Optional<String> current) {
        boolean possible = !expected.equals(current);
        add(
                expected + " refused by " + current,
                begin,
                end,
                state -> possible && state.equals(current) ? Optional.of(state) : Optional.empty());
    }

    void unknown(long begin, Optional<String> expected, Optional<String> next) {
        add(
                expected + " -> " + next + " perhaps",
                begin,
                Call.NEVER,
                state -> Optional.of(state.equals(expected) ? next : state));
    }

    private void add(String text, long begin, long end, Function<Optional<String>, Optional<Optional<String>>> step) {
        calls.add(new Call<>(text, begin, end, step));
    }

    boolean isLinearizable() {
        return Linearizability.holds(Optional.empty(), List.copyOf(calls), BUDGET);
    }

    @Override
    public String toString() {
        StringBuilder out = new StringBuilder();
        calls.stream()
                .sorted((a, b) -> Long.compare(a.begin(), b.begin()))
                .forEach(call -> out.append(call.begin())
                        .append("..")
                        .append(call.open() ? "" : call.end())
                        .append(' ')
                        .append(call.text())
                        .append('\n'));
        return out.toString();
    }
}
