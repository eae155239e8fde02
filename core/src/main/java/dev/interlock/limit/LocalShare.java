// SPDX-License-Identifier: Apache-2.0
package dev.interlock.limit;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * This node's share of the limits while Redis is away. Each limit becomes a bucket that never lets more than limit / nodes
 * pass in a period (for GCRA: burst and rate are divided). Users beyond the 10,000 that asked last start unused again.
 * Thread-safe.
 */
final class LocalShare {
    private static final int MAX_USERS = 10_000;

    private final Bucket[] shares;
    private final Map<String, double[]> users = new LinkedHashMap<>(16, 0.75f, true) {
        private static final long serialVersionUID = 1L;

        @Override
        protected boolean removeEldestEntry(Map.Entry<String, double[]> eldest) {
            return size() > MAX_USERS;
        }
    };

    LocalShare(List<Limit> limits, int nodes) {
        shares = limits.stream().map(limit -> Bucket.of(limit, nodes)).toArray(Bucket[]::new);
    }

    /** A burst, and how long one unit takes to come back. */
    private record Bucket(double burst, double unitNanos) {
        static Bucket of(Limit limit, int nodes) {
            double periodNanos = limit.period().toNanos();
            if (limit instanceof Limit.Gcra gcra) {
                return new Bucket(Math.floor((double) gcra.burst() / nodes), periodNanos / gcra.permits() * nodes);
            }
            // In a window pass the burst and what comes back within it; together that must be the share.
            long share = limit.permits() / nodes;
            long burst = (share + 1) / 2;
            return new Bucket(burst, periodNanos / (share - burst + 1));
        }
    }

    /** Takes units from all shares or from none. */
    synchronized boolean take(String user, long units, long nowNanos) {
        double[] debts = users.computeIfAbsent(user, key -> new double[shares.length + 1]);
        double elapsed = nowNanos - debts[shares.length];
        boolean fits = true;
        for (int i = 0; i < shares.length; i++) {
            debts[i] = Math.max(0, debts[i] - elapsed / shares[i].unitNanos);
            fits &= debts[i] + units <= shares[i].burst;
        }
        debts[shares.length] = nowNanos;
        for (int i = 0; fits && i < shares.length; i++) {
            debts[i] += units;
        }
        return fits;
    }

    /** When Redis is back, it alone decides. */
    synchronized void forget() {
        users.clear();
    }
}
