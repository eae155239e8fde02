// SPDX-License-Identifier: Apache-2.0
package dev.interlock.doctor;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** What each fact means. No I/O. */
final class Checks {
    static final List<String> SETTINGS = List.of(
            "appendfsync", "busy-reply-threshold", "min-replicas-to-write", "min-replicas-max-lag", "requirepass");

    private static final long BUSY_MILLIS = 5_000;
    private static final long CLOCK_MILLIS = 1_000;

    private final NodeFacts facts;
    private final List<Diagnosis> found = new ArrayList<>();

    private Checks(NodeFacts facts) {
        this.facts = facts;
    }

    static List<Diagnosis> of(NodeFacts facts) {
        Checks checks = new Checks(facts);
        if (facts.info().isEmpty()) {
            checks.warn(
                    "info",
                    "INFO is refused, so most of the server is not readable",
                    "allow the user +info, or look by hand");
        } else {
            checks.version();
            checks.role();
            checks.replicas();
            checks.persistence();
            checks.eviction();
            checks.cluster();
        }
        checks.busyThreshold();
        checks.user();
        checks.clock();
        checks.scripts();
        checks.tracking();
        return List.copyOf(checks.found);
    }

    private void version() {
        ServerVersion version = ServerVersion.of(facts);
        if (!version.supported()) {
            fail("version", version + " is too old", "use Redis 7.0 or newer, or Valkey 8 or newer");
        } else if (version.hasKnownFaults()) {
            warn(
                    "version",
                    version + " as released has known faults of the Lua engine (CVE-2025-49844); a distribution's"
                            + " package may have them mended under the same number",
                    "update the server, or check the package's changelog");
        } else if (version.mayHaveUnblockingFault()) {
            warn(
                    "version",
                    version
                            + " as released may have a known fault where clients are unblocked (CVE-2026-23479), which is"
                            + " mended in 7.4.9, 8.2.6, 8.4.3 and 8.6.3",
                    "update the server, or check the package's changelog");
        } else {
            ok("version", version.toString());
        }
    }

    private void role() {
        String role = facts.info("role");
        if (role.equals("master")) {
            ok("role", "master with " + facts.number("connected_slaves") + " replicas");
        } else {
            fail("role", "this server is a " + role + ": it refuses writes", "give the address of the master");
        }
    }

    private void replicas() {
        if (facts.number("connected_slaves") == 0) {
            return;
        }
        String need = facts.config()
                .map(config -> config.getOrDefault("min-replicas-to-write", ""))
                .orElse("");
        if (need.isEmpty()) {
            unreadable("replicas", "min-replicas-to-write");
        } else if (need.equals("0")) {
            warn(
                    "replicas",
                    "min-replicas-to-write is 0: a master that is cut off from its replicas goes on deciding, and all of it"
                            + " is lost at the fail-over",
                    "set min-replicas-to-write 1 and min-replicas-max-lag 1");
        } else {
            ok("replicas", "min-replicas-to-write is " + need);
        }
    }

    private void persistence() {
        if (!facts.info("aof_enabled").equals("1")) {
            warn(
                    "persistence",
                    "AOF is off: a crash loses every decision since the last snapshot",
                    "set appendonly yes, or accept the loss and rebuild pools from the database");
        } else if (facts.info("aof_last_write_status").equals("err")) {
            fail("persistence", "the AOF cannot be written: Redis refuses writes", "free the disk");
        } else {
            String sync = facts.config()
                    .map(config -> config.getOrDefault("appendfsync", ""))
                    .orElse("");
            ok(
                    "persistence",
                    switch (sync) {
                        case "always" -> "AOF, synchronised at every write";
                        case "everysec" ->
                            "AOF, synchronised every second: a crash of the machine loses up to 1 to 2 s";
                        default -> "AOF is on";
                    });
        }
    }

    private void eviction() {
        String policy = facts.info("maxmemory_policy");
        if (policy.isEmpty() || policy.equals("noeviction")) {
            ok("eviction", "nothing is evicted");
        } else if (facts.number("maxmemory") == 0) {
            warn(
                    "eviction",
                    "maxmemory-policy is " + policy + ": as soon as maxmemory is set, locks and limits can be evicted",
                    "set maxmemory-policy noeviction");
        } else {
            fail(
                    "eviction",
                    "maxmemory-policy is " + policy + ": locks, limits and stock can be evicted when memory is full",
                    "set maxmemory-policy noeviction");
        }
    }

    private void cluster() {
        if (!facts.info("cluster_enabled").equals("1")) {
            return;
        }
        Map<String, String> cluster = facts.cluster();
        if (cluster.isEmpty()) {
            warn("cluster", "CLUSTER INFO is refused", "allow the user +cluster|info");
        } else if (cluster.getOrDefault("cluster_state", "").equals("ok")
                && cluster.getOrDefault("cluster_slots_ok", "").equals("16384")) {
            ok("cluster", "all 16384 slots are served");
        } else {
            fail(
                    "cluster",
                    cluster.getOrDefault("cluster_slots_ok", "?") + " of 16384 slots are served, state "
                            + cluster.getOrDefault("cluster_state", "?"),
                    "bring the missing masters back, or fail over to their replicas");
        }
    }

    private void busyThreshold() {
        String threshold = facts.config()
                .map(config -> config.getOrDefault("busy-reply-threshold", ""))
                .orElse("");
        if (threshold.isEmpty()) {
            unreadable("busy", "busy-reply-threshold");
        } else if (threshold.equals("0") || Long.parseLong(threshold) > BUSY_MILLIS) {
            warn(
                    "busy",
                    "busy-reply-threshold is " + threshold
                            + ": a script that hangs makes callers time out without a reason",
                    "set busy-reply-threshold to at most " + BUSY_MILLIS);
        } else {
            ok("busy", "callers are told after " + threshold + " ms that a script hangs");
        }
    }

    private void user() {
        String user = facts.user().orElse("");
        if (user.isEmpty()) {
            warn("user", "ACL WHOAMI is refused, so the user is not known", "allow the user +acl|whoami");
        } else if (!user.equals("default")) {
            ok("user", "Redis user " + user);
        } else if (facts.config()
                .map(config -> config.getOrDefault("requirepass", ""))
                .orElse("?")
                .isEmpty()) {
            warn(
                    "user",
                    "the default user is used and has no password: whoever reaches the port can run scripts",
                    "make a user with the rules of \"interlock acl\", and close the default one");
        } else {
            warn(
                    "user",
                    "the default user may do everything, also FLUSHALL",
                    "make a user with the rules of \"interlock acl\"");
        }
    }

    private void clock() {
        facts.clockOffsetMillis()
                .ifPresentOrElse(
                        offset -> {
                            if (Math.abs(offset) > CLOCK_MILLIS) {
                                warn(
                                        "clock",
                                        String.format(
                                                Locale.ROOT,
                                                "the server's clock is %,d ms off this machine's; decisions go by the"
                                                        + " server's, opening times are set by yours",
                                                offset),
                                        "run a time service on both");
                            } else {
                                ok("clock", "within " + Math.max(1, Math.abs(offset)) + " ms of this machine's");
                            }
                        },
                        () -> warn("clock", "TIME is refused", "allow the user +time: scripts need it too"));
    }

    private void scripts() {
        facts.scriptsMissing()
                .ifPresentOrElse(
                        missing -> ok(
                                "scripts",
                                missing == 0
                                        ? "all scripts are loaded"
                                        : missing + " scripts are not loaded yet; their first call loads them"),
                        () -> warn(
                                "scripts",
                                "which scripts are loaded is not readable",
                                "allow the user +script|exists or +function|list, if you want to know"));
    }

    private void tracking() {
        facts.tracking()
                .ifPresentOrElse(
                        why -> fail(
                                "tracking",
                                "client tracking does not work (" + why
                                        + "): holders hear of lost locks late, waiters poll",
                                "allow RESP3, CLIENT TRACKING and SUBSCRIBE"),
                        () -> ok("tracking", "pushes arrive"));
    }

    private void unreadable(String subject, String setting) {
        warn(subject, setting + " is not readable, CONFIG is refused", "look it up in the server's configuration");
    }

    private void ok(String subject, String finding) {
        found.add(Diagnosis.ok(facts.node(), subject, finding));
    }

    private void warn(String subject, String finding, String mend) {
        found.add(Diagnosis.warn(facts.node(), subject, finding, mend));
    }

    private void fail(String subject, String finding, String mend) {
        found.add(Diagnosis.fail(facts.node(), subject, finding, mend));
    }
}
