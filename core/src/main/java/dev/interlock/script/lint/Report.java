// SPDX-License-Identifier: Apache-2.0
package dev.interlock.script.lint;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/** Collects the findings of one script, of each rule at most one a line. */
final class Report {
    private final String script;
    private final List<Finding> findings = new ArrayList<>();

    Report(String script) {
        this.script = script;
    }

    String script() {
        return script;
    }

    /**
     * Adds a finding.
     *
     * @param what what was found, the beginning of a sentence that the rule ends
     */
    void add(Rule rule, int line, String what) {
        if (findings.stream().noneMatch(old -> old.rule() == rule && old.line() == line)) {
            findings.add(new Finding(script, line, rule, what + ": " + rule.why(), rule.mend()));
        }
    }

    /** All of them in the order of their lines. */
    List<Finding> findings() {
        return findings.stream()
                .sorted(Comparator.comparingInt(Finding::line).thenComparing(Finding::rule))
                .toList();
    }
}
