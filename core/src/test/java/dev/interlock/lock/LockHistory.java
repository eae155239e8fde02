// SPDX-License-Identifier: Apache-2.0
package dev.interlock.lock;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/**
 * What all holders of one lock saw, judged from outside.
 *
 * @param uses one for each lease
 * @param deletions when an operator deleted the lock
 * @param toldNanos how long a holder may believe in a deleted lock
 */
record LockHistory(List<Use> uses, List<Long> deletions, long toldNanos) {
    /** One lease, surely valid at every moment from the one to the other. */
    record Use(String name, long fence, long from, long until) {
        /** Reads "USED name fence from until". */
        static Use parse(String line) {
            String[] words = line.split(" ");
            return new Use(words[1], Long.parseLong(words[2]), Long.parseLong(words[3]), Long.parseLong(words[4]));
        }
    }

    /** Two leases with one fence, and leases that overlap or came in another order than their fences, but for deletions. */
    List<String> violations() {
        List<String> found = new ArrayList<>();
        Use longest = null;
        for (Use use :
                uses.stream().sorted(Comparator.comparingLong(Use::fence)).toList()) {
            if (longest != null && use.fence == longest.fence) {
                found.add("one fence for " + longest + " and " + use);
            }
            if (longest != null && use.from < longest.until && !explained(longest, use)) {
                found.add("not apart, or not in order: " + longest + " and " + use);
            }
            if (longest == null || use.until > longest.until) {
                longest = use;
            }
        }
        return found;
    }

    private boolean explained(Use before, Use after) {
        return deletions.stream().anyMatch(at -> at <= after.from && before.until - at < toldNanos);
    }
}
