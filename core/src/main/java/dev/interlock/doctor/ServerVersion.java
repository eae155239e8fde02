// SPDX-License-Identifier: Apache-2.0
package dev.interlock.doctor;

import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A version of Redis or Valkey, as far as it matters here. The known faults are those of the Lua engine published in 2025
 * (CVE-2025-49844 and three others), and that of unblocking clients in Redis 7.2.0 to 8.6.2 (CVE-2026-23479).
 */
record ServerVersion(boolean valkey, int major, int minor, int patch) {
    private static final Pattern NUMBERS = Pattern.compile("(\\d{1,5})\\.(\\d{1,5})\\.(\\d{1,5}).*");
    /** First versions of each line without the known faults; lines after the last are without them. */
    private static final List<ServerVersion> REDIS_MENDED = List.of(
            new ServerVersion(false, 7, 2, 11),
            new ServerVersion(false, 7, 4, 6),
            new ServerVersion(false, 8, 0, 4),
            new ServerVersion(false, 8, 2, 2));

    /** First versions of Redis of which it is certain that clients are unblocked safely; lines before 7.2 never had the fault. */
    private static final List<ServerVersion> UNBLOCKING_MENDED = List.of(
            new ServerVersion(false, 7, 4, 9),
            new ServerVersion(false, 8, 2, 6),
            new ServerVersion(false, 8, 4, 3),
            new ServerVersion(false, 8, 6, 3));

    private static final ServerVersion UNBLOCKING_BROKEN = new ServerVersion(false, 7, 2, 0);

    private static final List<ServerVersion> VALKEY_MENDED = List.of(
            new ServerVersion(true, 7, 2, 11), new ServerVersion(true, 8, 0, 6), new ServerVersion(true, 8, 1, 4));

    /** From the fields {@code server_name} and {@code redis_version} or {@code valkey_version}. */
    static ServerVersion of(NodeFacts facts) {
        boolean valkey = facts.info("server_name").equals("valkey");
        Matcher numbers = NUMBERS.matcher(facts.info(valkey ? "valkey_version" : "redis_version"));
        return numbers.matches()
                ? new ServerVersion(valkey, number(numbers, 1), number(numbers, 2), number(numbers, 3))
                : new ServerVersion(valkey, 0, 0, 0);
    }

    private static int number(Matcher numbers, int group) {
        return Integer.parseInt(numbers.group(group));
    }

    boolean supported() {
        return valkey ? major >= 8 : major >= 7;
    }

    /** Whether a server of this version, as its makers released it, has the known faults. */
    boolean hasKnownFaults() {
        return isBefore(valkey ? VALKEY_MENDED : REDIS_MENDED);
    }

    /** Whether a server of this version, as its makers released it, has CVE-2026-23479 or is not known to be without it. */
    boolean mayHaveUnblockingFault() {
        return !valkey && line() >= UNBLOCKING_BROKEN.line() && isBefore(UNBLOCKING_MENDED);
    }

    private boolean isBefore(List<ServerVersion> mended) {
        for (ServerVersion first : mended) {
            if (line() == first.line()) {
                return patch < first.patch;
            }
        }
        return line() < mended.get(mended.size() - 1).line();
    }

    private long line() {
        return major * 100_000L + minor;
    }

    @Override
    public String toString() {
        return (valkey ? "Valkey " : "Redis ") + major + '.' + minor + '.' + patch;
    }
}
