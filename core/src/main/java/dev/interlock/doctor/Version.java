// SPDX-License-Identifier: Apache-2.0
package dev.interlock.doctor;

import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** A version of a server, and which of them lack fixes of known holes. */
record Version(int major, int minor, int patch) implements Comparable<Version> {
    private static final Pattern TEXT = Pattern.compile("(\\d{1,4})\\.(\\d{1,4})\\.(\\d{1,4}).*");
    private static final Comparator<Version> ORDER = Comparator.comparingInt(Version::major)
            .thenComparingInt(Version::minor)
            .thenComparingInt(Version::patch);

    /** First release of each line of Redis with the fix of CVE-2025-49844, by which a script takes over the server. */
    private static final List<Version> REDIS_SCRIPT_FIXES = List.of(
            new Version(6, 2, 20),
            new Version(7, 2, 11),
            new Version(7, 4, 6),
            new Version(8, 0, 4),
            new Version(8, 2, 2));
    /** The same for Valkey. */
    private static final List<Version> VALKEY_SCRIPT_FIXES =
            List.of(new Version(7, 2, 11), new Version(8, 0, 6), new Version(8, 1, 4));
    /** From and up to where CVE-2026-23479 is in Redis. */
    private static final Version BLOCKED_CLIENTS_FROM = new Version(7, 2, 0);

    private static final Version BLOCKED_CLIENTS_FIXED = new Version(8, 6, 3);

    static Optional<Version> parse(String text) {
        Matcher matcher = TEXT.matcher(text);
        return matcher.matches()
                ? Optional.of(new Version(
                        Integer.parseInt(matcher.group(1)),
                        Integer.parseInt(matcher.group(2)),
                        Integer.parseInt(matcher.group(3))))
                : Optional.empty();
    }

    @Override
    public int compareTo(Version other) {
        return ORDER.compare(this, other);
    }

    /** The known hole that an upstream build of this version has. */
    Optional<String> hole(boolean valkey) {
        List<Version> fixes = valkey ? VALKEY_SCRIPT_FIXES : REDIS_SCRIPT_FIXES;
        Optional<Version> ofItsLine = fixes.stream()
                .filter(fix -> fix.major == major && fix.minor == minor)
                .findFirst();
        boolean newer = compareTo(fixes.get(fixes.size() - 1)) > 0;
        boolean fixed = ofItsLine.map(fix -> compareTo(fix) >= 0).orElse(newer);
        if (!fixed) {
            return Optional.of("CVE-2025-49844 (a script takes over the server)");
        }
        boolean blocked = !valkey && compareTo(BLOCKED_CLIENTS_FROM) >= 0 && compareTo(BLOCKED_CLIENTS_FIXED) < 0;
        return blocked ? Optional.of("CVE-2026-23479 (blocked clients)") : Optional.empty();
    }

    @Override
    public String toString() {
        return major + "." + minor + "." + patch;
    }
}
