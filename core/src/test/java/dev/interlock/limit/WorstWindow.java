// SPDX-License-Identifier: Apache-2.0
package dev.interlock.limit;

import dev.interlock.limit.Oracle.Grant;
import java.math.BigInteger;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** Finds the worst that really passed; one pass over the grants in order of the server's time. */
final class WorstWindow {
    private WorstWindow() {}

    /** Most units in any window (t - period, t]. */
    static long of(List<Grant> grants, long periodMicros) {
        List<Grant> sorted = sorted(grants);
        long inside = 0;
        long worst = 0;
        int first = 0;
        for (Grant grant : sorted) {
            inside += grant.units();
            while (sorted.get(first).at() <= grant.at() - periodMicros) {
                inside -= sorted.get(first++).units();
            }
            worst = Math.max(worst, inside);
        }
        return worst;
    }

    /** Whether in every interval of any length l at most burst + l * permits / period units passed. */
    static boolean keepsBucket(List<Grant> grants, Limit.Gcra limit) {
        BigInteger n = BigInteger.valueOf(limit.permits());
        BigInteger p = BigInteger.valueOf(Oracle.micros(limit));
        BigInteger passed = BigInteger.ZERO;
        BigInteger lowest = null;
        for (Grant grant : sorted(grants)) {
            // Units scaled by the period, less what comes back: its rise above any earlier value is the burst in use.
            BigInteger before = passed.multiply(p).subtract(n.multiply(BigInteger.valueOf(grant.at())));
            lowest = lowest == null ? before : lowest.min(before);
            passed = passed.add(BigInteger.valueOf(grant.units()));
            BigInteger after = before.add(p.multiply(BigInteger.valueOf(grant.units())));
            if (after.subtract(lowest).compareTo(p.multiply(BigInteger.valueOf(limit.burst()))) > 0) {
                return false;
            }
        }
        return true;
    }

    /** Most units in any aligned window. */
    static long ofAligned(List<Grant> grants, long periodMicros) {
        Map<Long, Long> windows = new TreeMap<>();
        grants.forEach(grant -> windows.merge(grant.at() / periodMicros, grant.units(), Long::sum));
        return windows.values().stream().mapToLong(Long::longValue).max().orElse(0);
    }

    private static List<Grant> sorted(List<Grant> grants) {
        return grants.stream().sorted(Comparator.comparing(Grant::at)).toList();
    }

    static boolean keeps(Limit limit, List<Grant> grants) {
        if (limit instanceof Limit.Gcra gcra) {
            return keepsBucket(grants, gcra);
        }
        long worst = limit instanceof Limit.FixedWindow
                ? ofAligned(grants, Oracle.micros(limit))
                : of(grants, Oracle.micros(limit));
        return worst <= limit.permits();
    }
}
