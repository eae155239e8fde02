// SPDX-License-Identifier: Apache-2.0
package dev.interlock.doctor;

import dev.interlock.doctor.Finding.Level;
import java.util.Locale;
import java.util.Optional;

/** What is looked at. Everything is read; nothing on the server is changed. */
public enum Check {
    /** Whether the version is one that Interlock runs on, without known holes. */
    VERSION {
        @Override
        Finding judge(NodeFacts facts) {
            boolean valkey = facts.isValkey();
            Optional<Version> found =
                    facts.text(valkey ? "valkey_version" : "redis_version").flatMap(Version::parse);
            if (found.isEmpty()) {
                return unread(facts, "the version");
            }
            String name = (valkey ? "Valkey " : "Redis ") + found.get();
            if (found.get().compareTo(OLDEST) < 0) {
                return new Finding(this, Level.FAIL, facts.node(), name + " is too old", "run Redis 7.0 or newer");
            }
            return found.get()
                    .hole(valkey)
                    .map(hole -> new Finding(
                            this,
                            Level.WARN,
                            facts.node(),
                            name + " lacks the fix of " + hole + ", unless its packager has put it in: the number"
                                    + " cannot tell",
                            "see the changelog of your package, or update"))
                    .orElseGet(() -> ok(facts, name));
        }
    },
    /** Whether somebody may log in without a password. */
    AUTHENTICATION {
        @Override
        Finding judge(NodeFacts facts) {
            if (facts.openDefault().orElse(false)) {
                return new Finding(
                        this,
                        Level.WARN,
                        facts.node(),
                        "the user default needs no password",
                        "set a password (requirepass), or switch that user off and make one for this application");
            }
            boolean unsure = facts.openDefault().isEmpty() && facts.user().equals(Optional.of("default"));
            return facts.user().isEmpty() || unsure
                    ? unread(facts, "who may log in")
                    : ok(facts, "logged in as " + facts.user().get());
        }
    },
    /** Whether a full server throws data away that decisions rest on. */
    EVICTION {
        @Override
        Finding judge(NodeFacts facts) {
            Optional<String> policy = facts.text("maxmemory_policy");
            if (policy.isEmpty()) {
                return unread(facts, "maxmemory-policy");
            }
            if (policy.get().equals("noeviction")) {
                return ok(facts, "maxmemory-policy is noeviction");
            }
            return new Finding(
                    this,
                    facts.number("maxmemory") > 0 ? Level.FAIL : Level.WARN,
                    facts.node(),
                    "maxmemory-policy is " + policy.get()
                            + ": a full server drops locks, limits and stock without a word",
                    "set maxmemory-policy noeviction, or give Interlock a server of its own");
        }
    },
    /** Whether a master that was cut off from its replicas goes on to acknowledge writes that will be lost. */
    REPLICAS {
        @Override
        Finding judge(NodeFacts facts) {
            if (facts.text("connected_slaves").isEmpty()) {
                return unread(facts, "the replicas");
            }
            long replicas = facts.number("connected_slaves");
            if (replicas == 0) {
                return ok(facts, "it has no replicas");
            }
            // Redis shows this line only where both min-replicas settings are on.
            return facts.text("min_slaves_good_slaves").isPresent()
                    ? ok(facts, "it refuses writes that too few of its " + replicas + " replicas hear of")
                    : new Finding(
                            this,
                            Level.WARN,
                            facts.node(),
                            "min-replicas-to-write is 0: a master that is cut off or stopped acknowledges writes for"
                                    + " seconds that the fail-over loses",
                            "set min-replicas-to-write 1 and min-replicas-max-lag 1");
        }
    },
    /** Whether a restart loses everything. */
    PERSISTENCE {
        @Override
        Finding judge(NodeFacts facts) {
            Optional<String> aof = facts.text("aof_enabled");
            if (aof.isEmpty()) {
                return unread(facts, "appendonly");
            }
            return aof.get().equals("1")
                    ? ok(facts, "the append-only file is on")
                    : new Finding(
                            this,
                            Level.WARN,
                            facts.node(),
                            "the append-only file is off: a crash loses pools, stock and what was given out since the last"
                                    + " dump; locks and limits begin anew",
                            "set appendonly yes, or rebuild pools from the database after a crash");
        }
    };

    private static final Version OLDEST = new Version(7, 0, 0);

    abstract Finding judge(NodeFacts facts);

    Finding ok(NodeFacts facts, String says) {
        return new Finding(this, Level.OK, facts.node(), says, "");
    }

    Finding unread(NodeFacts facts, String what) {
        return new Finding(
                this,
                Level.WARN,
                facts.node(),
                what + " could not be read",
                "allow this user INFO, ACL WHOAMI and ACL GETUSER, or check it yourself");
    }

    @Override
    public String toString() {
        return name().toLowerCase(Locale.ROOT);
    }
}
