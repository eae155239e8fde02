// SPDX-License-Identifier: Apache-2.0
package dev.interlock.doctor;

import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A version of Redis or Valkey, as far as it matters here. The known faults are those of the Lua engine published in 2025
 * (CVE-2025-49844 and three others).
 */
record ServerVersion(boolean valkey, int major, int minor, int patch) {
    private static final Pattern NUMBERS = Pattern.compile("(\\d{1,5})\\.(\\d{1,5})\\.(\\d{1,5}).*");
    /** First versions of each line without the known faults; lines after the last are without them. */
    private static final List<ServerVersion> REDIS_MENDED = List.of(
            new ServerVersion(false, 7, 2, 11),
            new ServerVersion(false, 7, 4, 6),
            new ServerVersion(false, 8, 0, 4),
            new ServerVersion(false, 8, 2, 2));

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
        List<ServerVersion> mended = valkey ? VALKEY_MENDED : REDIS_MENDED;
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
