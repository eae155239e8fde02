// SPDX-License-Identifier: Apache-2.0
package dev.interlock.doctor;

import dev.interlock.internal.Await;
import dev.interlock.internal.Engine;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.SortedSet;
import java.util.concurrent.CompletionStage;

/**
 * Looks at every master: whether it is set up for what is decided on it, and what it holds. Changes nothing, and makes do with
 * what the user of the connection may read. For start-up, operators and end-points, not for decisions: what it says is out of
 * date when it arrives. Thread-safe; nothing to close.
 */
public final class Doctor {
    private final Masters masters;
    private final Inventory inventory;
    private final Probe probe;

    private Doctor(Engine engine) {
        masters = new Masters(engine);
        inventory = new Inventory(engine, masters);
        probe = new Probe(engine);
    }

    /**
     * Made by {@link dev.interlock.Interlock#doctor()}.
     *
     * @param engine runtime resources
     * @return the doctor
     */
    public static Doctor create(Engine engine) {
        return new Doctor(engine);
    }

    /**
     * Makes every check on every master, within 2 s. Four commands for each master.
     *
     * @return what was found; what could not be read is a finding too
     */
    public List<Finding> examine() {
        return Await.get("doctor.examine", this::examineAsync);
    }

    /** As {@link #examine()}. */
    public CompletionStage<List<Finding>> examineAsync() {
        return masters.each(Masters::facts)
                .thenApply(nodes -> nodes.stream()
                        .flatMap(facts -> Arrays.stream(Check.values()).map(check -> check.judge(facts)))
                        .toList());
    }

    /**
     * Tries on every master whether it decides: one script call each, which writes a key that lapses at once.
     *
     * @return by master, why it does not; empty if all do. Fails if not even the masters are known
     */
    public CompletionStage<Map<String, String>> probeAsync() {
        return probe.run();
    }

    /**
     * Which scripts the masters have, within 2 s. Two commands for each master.
     *
     * @return for each master, whether it has each script that was used
     */
    public CompletionStage<Map<String, Map<String, Boolean>>> scriptsAsync() {
        return inventory.scripts();
    }

    /**
     * Names of the locks that are held, found by SCAN over all keys of all masters: for operators, not for programs. Ends
     * after 2 s, with what was found by then.
     *
     * @param most stop at so many, 1 to 10,000
     * @return the names in their order
     * @throws IllegalArgumentException if the number lies outside
     */
    public CompletionStage<SortedSet<String>> locksAsync(int most) {
        return inventory.names("lock", "", most);
    }

    /**
     * Names of the pools, found as {@link #locksAsync} finds locks.
     *
     * @param most stop at so many, 1 to 10,000
     * @return the names in their order
     * @throws IllegalArgumentException if the number lies outside
     */
    public CompletionStage<SortedSet<String>> poolsAsync(int most) {
        return inventory.names("pool", ":meta", most).thenApply(Inventory::withoutShards);
    }
}
